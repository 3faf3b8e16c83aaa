package org.understudy.lab.cluster;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import javax.management.JMX;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** The direct buffers of another JVM on this machine, which no heap contains. Read over JMX, until it is closed. */
public final class DirectBuffers implements AutoCloseable {
  private final JMXConnector connector;
  private final BufferPoolMXBean pool;

  /**
   * Connects.
   *
   * @throws IOException when the process is none, or one of another user
   */
  @SuppressWarnings("BanJNDI") // The address is that of a process that this program has started.
  public DirectBuffers(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      String url;
      try {
        url = machine.startLocalManagementAgent();
      } finally {
        machine.detach();
      }
      connector = JMXConnectorFactory.connect(new JMXServiceURL(url));
      pool = JMX.newMXBeanProxy(connector.getMBeanServerConnection(), new ObjectName("java.nio:type=BufferPool,name=direct"),
          BufferPoolMXBean.class);
    } catch (AttachNotSupportedException | MalformedObjectNameException e) {
      throw new IOException("Process " + pid + " shows no direct buffers.", e);
    }
  }

  /** Returns the bytes that all direct buffers take. */
  public long bytes() {
    return pool.getMemoryUsed();
  }

  @Override
  public void close() throws IOException {
    connector.close();
  }
}
