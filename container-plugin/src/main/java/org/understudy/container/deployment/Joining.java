package org.understudy.container.deployment;

import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.HashSet;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.Replica;
import org.understudy.thread.DaemonThreads;

/**
 * Lets a replica join its group when the server takes requests. Tomcat starts its connectors after all web applications; a
 * replica that joined before could become a backup, or the primary, that no client reaches. The last servlet that the web
 * application starts; it serves nothing.
 */
final class Joining extends GenericServlet implements AutoCloseable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
  private static final long PAUSE_MS = 20;
  private static final long WARN_NANOS = 60_000_000_000L;

  private final transient Replica replica;
  private final transient LastServlet last;
  private final URI address;
  private transient Thread waiting;
  private boolean closed;

  /** What is to be done before, when all servlets of the web application have started. */
  @FunctionalInterface
  interface LastServlet {
    /**
     * Called once.
     *
     * @return whether the replica is to join
     * @throws ServletException when it is not, for a reason that has been logged
     */
    boolean started(ServletContext context) throws ServletException;
  }

  /** @param address of this replica's web application */
  Joining(Replica replica, URI address, LastServlet last) {
    this.replica = replica;
    this.last = last;
    this.address = address;
  }

  @Override
  public void init() throws ServletException {
    if (last.started(getServletContext())) {
      begin();
    }
  }

  private synchronized void begin() {
    if (closed || waiting != null) {
      return;
    }
    waiting = DaemonThreads.daemon("understudy-joining", this::await);
    waiting.start();
  }

  private void await() {
    long warnAt = System.nanoTime() + WARN_NANOS;
    boolean warned = false;
    try {
      while (!serverTakesRequests()) {
        if (!warned && System.nanoTime() - warnAt > 0) {
          warned = true;
          LOG.warn("This replica waits to join its group until the server's connector for {} has started. See the server's log "
              + "if it does not start.", address);
        }
        Thread.sleep(PAUSE_MS);
      }
      join();
    } catch (InterruptedException e) {
      LOG.debug("The web application stops before its replica has joined.", e);
    }
  }

  private synchronized void join() {
    if (!closed) {
      replica.join();
    }
  }

  /**
   * Whether the connector on this replica's port has started; where its address has another port, as behind a proxy, whether
   * all connectors have. A server without Tomcat's MBeans is taken to be ready.
   */
  private boolean serverTakesRequests() {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    try {
      Set<ObjectName> all = new HashSet<>(beans.queryNames(new ObjectName("*:type=Connector,*"), null));
      int port = address.getPort() >= 0 ? address.getPort() : "https".equals(address.getScheme()) ? 443 : 80;
      Set<ObjectName> own = new HashSet<>(all);
      own.removeIf(name -> !Integer.toString(port).equals(name.getKeyProperty("port")));
      boolean started = true;
      for (ObjectName name : own.isEmpty() ? all : own) {
        started &= isStarted(beans, name);
      }
      return started;
    } catch (MalformedObjectNameException e) {
      throw new IllegalStateException("The name of all connectors is valid.", e);
    }
  }

  private static boolean isStarted(MBeanServer beans, ObjectName connector) {
    try {
      return "STARTED".equals(String.valueOf(beans.getAttribute(connector, "stateName")));
    } catch (JMException e) {
      // It has ended meanwhile, or it is not Tomcat's.
      LOG.debug("The state of the connector {} is not known.", connector, e);
      return true;
    }
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) {
    throw new IllegalStateException("This servlet does not accept requests.");
  }

  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      closed = true;
      thread = waiting;
    }
    if (thread != null) {
      thread.interrupt();
      try {
        thread.join(5_000);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
