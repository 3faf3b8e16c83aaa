package org.understudy.container.deployment;

import jakarta.xml.ws.Provider;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import org.apache.cxf.Bus;
import org.apache.cxf.endpoint.Endpoint;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.invoker.EndpointWarmUp;

/**
 * Processes requests of its own making at the endpoints of a replica, before the replica joins its group. Otherwise the first request of a
 * client, after a join as after a failover, waits until CXF's classes are loaded. Ends when the requests have become fast, and at the
 * latest after 2 s. The processor time of a request is what counts, because other processes do not lengthen it. A slow request is followed
 * by a pause as long as the request was, because other processes may need the processors. No operation, interceptor or handler of the
 * application is executed.
 */
public final class WarmUp {
  private static final Logger LOG = LoggerFactory.getLogger(WarmUp.class);
  private static final long MAX_NANOS = 2_000_000_000L;
  private static final int MAX_REQUESTS = 500;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
  /** A request that takes less meets code that is loaded and mostly compiled. */
  private static final long FAST_NANOS = 1_000_000;
  /** Successive fast requests after which an endpoint is warm. */
  private static final int FAST_REQUESTS = 5;
  private static final long MAX_PAUSE_MS = 100;

  private final List<EndpointWarmUp> endpoints = new ArrayList<>();

  WarmUp() {}

  /** Adds a published endpoint. */
  synchronized void add(Bus bus, Endpoint endpoint, Class<?> implementation) {
    if (Provider.class.isAssignableFrom(implementation)) {
      return;
    }
    try {
      EndpointWarmUp one = new EndpointWarmUp(bus, endpoint);
      if (!one.requests().isEmpty()) {
        endpoints.add(one);
      }
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("No requests can be made for {}, which is not warmed up therefore.", implementation.getName(), e);
    }
  }

  /** @throws InterruptedException when the web application stops */
  synchronized void run() throws InterruptedException {
    long begin = System.nanoTime();
    int requests = 0;
    for (int i = 0; i < endpoints.size(); i++) {
      long left = MAX_NANOS - (System.nanoTime() - begin);
      requests += run(endpoints.get(i), System.nanoTime() + left / (endpoints.size() - i));
    }
    LOG.debug("{} requests in {} ms warmed this replica up.", requests, (System.nanoTime() - begin) / 1_000_000);
    endpoints.clear();
  }

  /** Runs requests until they are fast. Any error ends it: the XML libraries of an application can throw errors of the JVM, too. */
  private static int run(EndpointWarmUp endpoint, long until) throws InterruptedException {
    int fast = 0;
    int requests = 0;
    while (fast < Math.max(FAST_REQUESTS, endpoint.requests().size()) && requests < MAX_REQUESTS && System.nanoTime() - until < 0) {
      long begin = System.nanoTime();
      long processor = processorNanos();
      try {
        endpoint.process();
      } catch (RuntimeException | Error e) {
        // Nothing depends on it: a request of a client meets the same error where it matters.
        LOG.debug("The warm-up of an endpoint ends.", e);
        return requests;
      }
      requests++;
      if (processorNanos() - processor < FAST_NANOS) {
        fast++;
      } else {
        fast = 0;
        Thread.sleep(Math.min((System.nanoTime() - begin) / 1_000_000, MAX_PAUSE_MS));
      }
    }
    return requests;
  }

  /** Of this thread; the clock where a JVM does not measure it. */
  private static long processorNanos() {
    return THREADS.isCurrentThreadCpuTimeSupported() && THREADS.isThreadCpuTimeEnabled()
        ? THREADS.getCurrentThreadCpuTime() : System.nanoTime();
  }
}
