package org.understudy.channel.jgroups;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicLong;

/** Bounds the memory of messages that have arrived and whose seals are not checked yet, over all connections. Thread-safe. */
final class UncheckedBytes {
  private final long max;
  private final AtomicLong used = new AtomicLong();

  UncheckedBytes(long max) {
    this.max = max;
  }

  /** What one connection has of it; for one thread. */
  final class Share implements AutoCloseable {
    private long held;

    /** @throws IOException when the total would exceed its bound */
    void add(long bytes) throws IOException {
      if (used.addAndGet(bytes) > max) {
        used.addAndGet(-bytes);
        throw new IOException("A message is rejected, because " + max + " bytes of messages are not checked yet.");
      }
      held += bytes;
    }

    void remove(long bytes) {
      used.addAndGet(-bytes);
      held -= bytes;
    }

    @Override
    public void close() {
      remove(held);
    }
  }

  Share open() {
    return new Share();
  }
}
