package org.understudy.container.deployment;

import jakarta.servlet.GenericServlet;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MalformedObjectNameException;
import javax.management.ObjectName;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;

/**
 * Makes the replicas of a web application join their groups after the connectors of the server have started. Tomcat starts them after
 * all web applications. A replica that joined earlier could become a backup or the primary while no client reaches it. This is the last
 * servlet that the web application starts. It serves no requests.
 */
final class Joining extends GenericServlet implements AutoCloseable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(Joining.class);
  private static final long PAUSE_MS = 20;
  private static final long WARN_NANOS = 60_000_000_000L;

  private final transient List<? extends Member> members;
  private final transient LastServlet last;
  private transient Thread joiningThread;
  private boolean closed;

  /** What joins a group. */
  interface Member {
    /** Whether it joins, once the web application has started. */
    boolean joins();

    /** The URL of this replica's web application. */
    URI address();

    /** Prepares the request path for the first request. Returns after some seconds at most. */
    void warmUp() throws InterruptedException;

    /** Begins to join the group. */
    void join();

    /** @param why it cannot join its group, as the end of a sentence */
    void halt(String why, Throwable cause);
  }

  /** Runs after all servlets of the web application have started, before a replica joins. */
  @FunctionalInterface
  interface LastServlet {
    /**
     * Called once.
     *
     * @return whether any replica joins
     */
    boolean started(ServletContext context);
  }

  /** @param members those with services join */
  Joining(List<? extends Member> members, LastServlet last) {
    this.members = members;
    this.last = last;
  }

  @Override
  public void init() {
    if (last.started(getServletContext())) {
      begin();
    }
  }

  private synchronized void begin() {
    if (closed || joiningThread != null) {
      return;
    }
    joiningThread = DaemonThreads.daemon("understudy-joining", this::await);
    joiningThread.start();
  }

  private void await() {
    try {
      for (Member member : members) {
        if (member.joins()) {
          join(member);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The web application stops before its replica has joined.", e);
    }
  }

  private static void awaitConnector(URI address) throws InterruptedException {
    long warnAt = System.nanoTime() + WARN_NANOS;
    boolean warned = false;
    while (!serverAcceptsRequests(address)) {
      if (!warned && System.nanoTime() - warnAt > 0) {
        warned = true;
        LOG.warn("This replica waits to join its group until the server's connector for {} has started. See the server's log "
            + "if it does not start.", address);
      }
      Thread.sleep(PAUSE_MS);
    }
  }

  /** Without the lock: {@link #close} need not wait for a group that blocks. A group that fails halts alone. */
  private void join(Member member) throws InterruptedException {
    try {
      awaitConnector(member.address());
      member.warmUp();
      if (!isClosed()) {
        member.join();
      }
    } catch (RuntimeException | Error e) {
      member.halt("it cannot join its group (" + e + ")", e);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  /**
   * Whether the connector on the address's port has started. When no connector has that port, as behind a proxy, whether all connectors
   * have started. A server without Tomcat's MBeans counts as ready.
   */
  private static boolean serverAcceptsRequests(URI address) {
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
      // The connector has ended meanwhile, or is not Tomcat's.
      LOG.debug("The state of the connector {} is unknown.", connector, e);
      return true;
    }
  }

  @Override
  public void service(ServletRequest request, ServletResponse response) {
    throw new IllegalStateException("This servlet does not accept requests.");
  }

  /**
   * Interrupts the replica that joins, and waits up to 5 s for it. After that the owner closes the replica, which leaves its group even if
   * it joins later.
   */
  @Override
  public void close() {
    Thread thread;
    synchronized (this) {
      closed = true;
      thread = joiningThread;
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
