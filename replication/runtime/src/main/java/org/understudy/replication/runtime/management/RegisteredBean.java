package org.understudy.replication.runtime.management;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registration of an MBean at the platform's server, until it is closed. */
public final class RegisteredBean implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(RegisteredBean.class);

  private final ObjectName name;

  private RegisteredBean(ObjectName name) {
    this.name = name;
  }

  /**
   * Registers a bean. If that fails, it logs a warning.
   *
   * @param what what cannot be controlled without the bean, as the beginning of a sentence
   * @return null when it failed
   */
  public static RegisteredBean of(Object bean, ObjectName name, String what) {
    try {
      ManagementFactory.getPlatformMBeanServer().registerMBean(bean, name);
      return new RegisteredBean(name);
    } catch (JMException e) {
      LOG.warn("{} cannot be controlled through JMX: {} was not registered: {}.", what, name, e.toString());
      return null;
    }
  }

  /** Returns a name of this project's domain. */
  public static ObjectName name(String properties) {
    try {
      return new ObjectName("org.understudy:" + properties);
    } catch (JMException e) {
      throw new IllegalStateException("A quoted name is valid.", e);
    }
  }

  @Override
  public void close() {
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (JMException e) {
      LOG.debug("{} was not registered any more.", name, e);
    }
  }
}
