package org.understudy.container.request;

import jakarta.servlet.AsyncContext;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.understudy.container.response.EndListener;

/**
 * The connection of the client of one asynchronous request. When the client closes it, the container uses the objects of the request for
 * another client: they are not used from then on, and the container waits until a use that has begun has ended. A thread that may block on
 * the client, because it writes, keeps no other thread waiting: uses of others are postponed until it has written. Thread-safe.
 */
final class ClientConnection implements EndListener {
  // Guarded by this.
  private boolean closed;
  /** Whether a thread may be blocked on the client. */
  private boolean writing;
  /** What the writing thread does for others in the end. */
  private List<Runnable> postponed = List.of();

  /** Begins an asynchronous part of the request. Called by a thread of the container; waits for one that writes. */
  synchronized void watch(AsyncContext async) {
    awaitWritten();
    async.addListener(this);
    closed = false;
  }

  /**
   * Uses the objects of the request, unless the connection is closed. Called by any thread. Does not block: while another thread writes to
   * the client, that thread does this when it has written.
   *
   * @param use does not block; returns false when it is of no effect
   * @param otherwise runs when the connection is closed or the use was of no effect
   */
  void use(BooleanSupplier use, Runnable otherwise) {
    synchronized (this) {
      if (writing) {
        postponed = postponed.isEmpty() ? new ArrayList<>(1) : postponed;
        postponed.add(() -> use(use, otherwise));
        return;
      }
      if (!closed && use.getAsBoolean()) {
        return;
      }
    }
    otherwise.run();
  }

  /** Begins a write that may block on the client. Waits for another one. {@link #endWrite} must follow. */
  synchronized void beginWrite() {
    awaitWritten();
    writing = true;
  }

  /** Whether the client has gone. Only for the thread that writes: the container waits for it before it ends the request. */
  synchronized boolean isClosed() {
    return closed;
  }

  /** Ends a write, and does what other threads could not do meanwhile. */
  void endWrite() {
    List<Runnable> left;
    synchronized (this) {
      writing = false;
      left = postponed;
      postponed = List.of();
      notifyAll();
    }
    left.forEach(Runnable::run);
  }

  /** Waits until no thread writes. Blocks on the client, so only for threads of the container and those that write. */
  synchronized void awaitWritten() {
    boolean interrupted = false;
    while (writing) {
      try {
        wait();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public synchronized void ended() {
    awaitWritten();
    closed = true;
  }
}
