package org.understudy.container.deployment;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.response.Answers;

/**
 * The requests that have not ended. The response of an asynchronous request is sent by a thread of the container some time after it is
 * complete, and a container that stops closes the connection without it. Thread-safe.
 */
final class OpenRequests implements ServletRequestListener {
  private static final Logger LOG = LoggerFactory.getLogger(OpenRequests.class);

  private final AtomicInteger open = new AtomicInteger();
  private volatile boolean stopping;

  @Override
  public void requestInitialized(ServletRequestEvent event) {
    open.incrementAndGet();
  }

  /** Called once for each request, for an asynchronous one before its response is sent. */
  @Override
  public void requestDestroyed(ServletRequestEvent event) {
    if (stopping) {
      Answers.sendCompleted(event.getServletRequest());
    }
    if (open.decrementAndGet() <= 0 && stopping) {
      synchronized (this) {
        notifyAll();
      }
    }
  }

  /** From now on the end of a request means that its response has been sent. */
  void stop() {
    stopping = true;
  }

  /**
   * Blocks until all requests have ended. Call {@link #stop} before what ends them.
   *
   * @param longest for a request that is not answered, for example because its service still executes it
   */
  void awaitEnd(Duration longest) {
    long end = System.nanoTime() + longest.toNanos();
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
