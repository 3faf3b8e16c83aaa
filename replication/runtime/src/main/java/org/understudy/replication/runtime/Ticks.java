package org.understudy.replication.runtime;

import java.util.concurrent.TimeUnit;
import org.understudy.replication.core.Timing;

/**
 * The timer of a replica: a tick steps the core, then ends calls that have waited for too long.
 *
 * <p>The host's timer runs a tick at once and then after a pause each time, so ticks never overlap and a slow one delays
 * the next. The step of a tick reads both clocks when it holds the core's lock, as every step does. So a late tick, or one
 * that waits for another step, shows the core the delay.
 */
final class Ticks {
  /**
   * The core needs several ticks in each heartbeat interval: heartbeats, leases and suspicions are late by one pause at
   * most.
   */
  private static final int PER_HEARTBEAT = 5;

  private static final long MIN_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

  private final Runnable step;
  private final Runnable failOverdue;
  private final Halt halt;

  /**
   * @param step steps the core
   * @param failOverdue ends overdue calls
   */
  Ticks(Runnable step, Runnable failOverdue, Halt halt) {
    this.step = step;
    this.failOverdue = failOverdue;
    this.halt = halt;
  }

  /** Ticks until the host is closed. After the replica has halted, a tick only closes its channels. */
  void start(ReplicaHost host, Timing timing) {
    host.tick(this::tick, pauseNanos(timing));
  }

  static long pauseNanos(Timing timing) {
    return Math.max(MIN_PAUSE_NANOS, timing.heartbeatNanos() / PER_HEARTBEAT);
  }

  private void tick() {
    try {
      if (halt.why() == null) {
        step.run();
        failOverdue.run();
      } else {
        halt.closeChannels();
      }
    } catch (RuntimeException | Error e) {
      failed(e);
    }
  }

  /** After the replica has halted, what the next tick repeats has failed: it must come, and the log has the reason of the halt. */
  private void failed(Throwable cause) {
    if (halt.why() == null) {
      halt.because("its clock failed", cause);
    }
  }
}
