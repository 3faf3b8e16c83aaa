package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;

/** A host whose clocks, timer and disk advance only when the test says so. */
final class ManualHost implements ReplicaHost {
  /** A disk operation that the test has not ended. */
  record Pending(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed) {}

  final ArrayDeque<Pending> disk = new ArrayDeque<>();
  long monotonic = 1_000;
  long wall = 5_000;
  Runnable tick = () -> {};
  long pauseNanos;
  boolean closed;

  @Override
  public long monotonicNanos() {
    return monotonic;
  }

  @Override
  public long wallNanos() {
    return wall;
  }

  @Override
  public long incarnation() {
    return 7;
  }

  @Override
  public boolean keepsRecords() {
    return true;
  }

  @Override
  public Recovered recovered() {
    return Recovered.NOTHING;
  }

  @Override
  public void store(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed) {
    disk.add(new Pending(records, stored, failed));
  }

  @Override
  public void tick(Runnable what, long pause) {
    tick = what;
    pauseNanos = pause;
  }

  @Override
  public void close() {
    closed = true;
  }
}
