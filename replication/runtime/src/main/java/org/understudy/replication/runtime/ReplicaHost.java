package org.understudy.replication.runtime;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.core.DurableRecord;
import org.understudy.replication.core.Recovered;

/**
 * The clocks, the timer and the disk of one life of a replica: those of the process, or simulated ones. Nothing else in
 * {@link Replica} depends on time or threads.
 */
public interface ReplicaHost extends AutoCloseable {
  /** Nanoseconds of a clock that never goes back. */
  long monotonicNanos();

  /** Nanoseconds of the wall clock. */
  long wallNanos();

  /** Another number in every life of the replica, and never 0. */
  long incarnation();

  /** Whether records outlive this process; a replica without peers keeps none. */
  boolean keepsRecords();

  /**
   * What was stored in earlier lives.
   *
   * @throws IOException when it cannot be read, in one sentence
   */
  Recovered recovered() throws IOException;

  /**
   * Makes records durable in their order, later and outside the caller's exclusion. Calls never overlap.
   *
   * @param stored run when all are durable
   * @param failed takes the reason when one cannot be; then nothing that rests on them may leave
   */
  void store(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed);

  /** Runs the tick now and again and again, with this pause, until {@link #close}. */
  void tick(Runnable tick, long pauseNanos);

  @Override
  void close();
}
