package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import org.understudy.container.response.EndListener;

/**
 * The connection of the client of one asynchronous request. When the client closes it, the container uses the objects of the request for
 * another client: they are not used from then on, and the container waits until a use that has begun has ended. Thread-safe.
 */
final class ClientConnection implements EndListener {
  private boolean closed;

  /** Begins an asynchronous part of the request. */
  synchronized void watch(AsyncContext async) {
    async.addListener(this);
    closed = false;
  }

  /**
   * Uses the objects of the request, unless the connection is closed. Called by any thread.
   *
   * @param use blocks at most as long as a write to the client
   * @return false when the connection is closed; then nothing is used
   */
  synchronized boolean use(Runnable use) {
    if (closed) {
      return false;
    }
    use.run();
    return true;
  }

  @Override
  public synchronized void ended() {
    closed = true;
  }
}
