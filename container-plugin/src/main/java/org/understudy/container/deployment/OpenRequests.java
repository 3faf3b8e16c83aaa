package org.understudy.container.deployment;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts the requests whose response the container has not sent. The response of an asynchronous request is sent by a thread of the
 * container some time after it is complete, and a container that stops closes the connection without it. Thread-safe.
 */
final class OpenRequests implements ServletRequestListener {
  private static final Logger LOG = LoggerFactory.getLogger(OpenRequests.class);

  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean awaited;

  @Override
  public void requestInitialized(ServletRequestEvent event) {
    open.incrementAndGet();
  }

  /** Called once for each request, for an asynchronous one when its response has been sent. */
  @Override
  public void requestDestroyed(ServletRequestEvent event) {
    if (open.decrementAndGet() <= 0 && awaited) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /**
   * Blocks until all responses have been sent.
   *
   * @param longest for a request that is not answered, for example because its service still executes it
   */
  void awaitEnd(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
    awaited = true;
    synchronized (this) {
      // Rounded up: a wait of 0 ms would have no end.
      for (long left = longest.toNanos(); open.get() > 0 && left > 0; left = end - System.nanoTime()) {
        try {
          wait(left / 1_000_000 + 1);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          break;
        }
      }
    }
    if (open.get() > 0) {
      LOG.debug("The web application stops while {} requests have no response.", open.get());
    }
  }
}
