package org.understudy.replication.runtime;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;

/**
 * The clocks, the timer and the disk of one start of a replica: the process's own, or simulated ones. Nothing else in
 * {@link Replica} depends on time or threads.
 */
public interface ReplicaHost extends AutoCloseable {
  /** Nanoseconds of a clock that never goes backwards. */
  long monotonicNanos();

  /** Nanoseconds of the wall clock. */
  long wallNanos();

  /** A different number for every start of the replica, never 0. */
  long incarnation();

  /** Whether records outlive this process; a replica without peers keeps none. */
  boolean keepsRecords();

  /**
   * The records of earlier incarnations.
   *
   * @throws IOException when they cannot be read, in one sentence
   */
  Recovered recovered() throws IOException;

  /**
   * Makes records durable in their order, later and without the caller's lock. Calls never overlap.
   *
   * @param stored runs when all are durable
   * @param failed takes the reason when one cannot be stored; then no effect that depends on them may be carried out
   */
  void store(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed);

  /**
   * Called between two batches, by the thread that reported the first as stored: may wait for a short time, in which more records
   * gather. Those that answers have caused then share the next sync.
   *
   * @param records of the last batch
   */
  default void gather(int records) {
    // No wait.
  }

  /**
   * Runs the step that another one has requested, when the effects of that one are carried out: in production at once, by the thread that
   * has carried them out. Other threads may step the replica before, so a simulation may delay it.
   */
  default void stepAgain(Runnable step) {
    step.run();
  }

  /** Runs the tick now and repeatedly, with this pause, until {@link #close}. */
  void tick(Runnable tick, long pauseNanos);

  @Override
  void close();
}
