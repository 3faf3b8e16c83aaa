package org.understudy.replication.core.transfer;

import org.understudy.replication.core.Effects;

/** Tells the operator about a state transfer that takes long: at most one line in ten seconds. */
final class TransferProgress {
  private static final long FIRST_NANOS = 3_000_000_000L;
  private static final long NEXT_NANOS = 10_000_000_000L;

  private final String what;
  private final long begin;
  private long dueAt;

  /** @param what begins the line */
  TransferProgress(String what, long now) {
    this.what = what;
    this.begin = now;
    this.dueAt = now + FIRST_NANOS;
  }

  /** The joiner has so many bytes of the state. */
  void at(long now, long bytes, Effects out) {
    if (now - dueAt >= 0) {
      dueAt = now + NEXT_NANOS;
      long millis = Math.max(1, (now - begin) / 1_000_000);
      out.inform(
          what + ": " + bytes + " bytes in " + millis / 1_000 + " s, " + 1_000 * bytes / millis / 1_024 + " KiB/s; it goes on.");
    }
  }
}
