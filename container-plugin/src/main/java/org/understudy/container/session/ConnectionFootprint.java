package org.understudy.container.session;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Estimates the heap that a connection needs after Tomcat has handed it over: two buffers of the connector, and the objects of
 * the socket and of the waiting request. Measured with Tomcat 11.0.25; {@code LongPollFootprintTest} measures it again.
 */
final class ConnectionFootprint {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionFootprint.class);
  /** Tomcat's default for each of the two buffers. */
  private static final int DEFAULT_BUFFER_BYTES = 8_192;
  /** The bytes of all objects other than the buffers. */
  static final int OBJECT_BYTES = 2_500;

  private ConnectionFootprint() {}

  /** Returns the largest size among the connectors, in bytes; Tomcat's defaults where it has no MBeans. */
  static int bytes() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    int max = 0;
    try {
      for (ObjectName connector : beans.queryNames(new ObjectName("*:type=SocketProperties,*"), null)) {
        max = Math.max(max, buffer(beans, connector, "appReadBufSize") + buffer(beans, connector, "appWriteBufSize"));
      }
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("The name of all socket properties is valid.", e);
    }
    return OBJECT_BYTES + (max == 0 ? 2 * DEFAULT_BUFFER_BYTES : max);
  }

  private static int buffer(MBeanServer beans, ObjectName connector, String attribute) {
    try {
      return Integer.parseInt(String.valueOf(beans.getAttribute(connector, attribute)));
    } catch (JMException | NumberFormatException e) {
      LOG.debug("The connector {} does not report {}; the default is assumed.", connector, attribute, e);
      return DEFAULT_BUFFER_BYTES;
    }
  }
}
