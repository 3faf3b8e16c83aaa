package org.understudy.replication.runtime;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;

/** A host of production whose syncs do not return while its disk hangs: the thread for the disk waits, as in {@code fsync}. */
final class HangingDisk implements ReplicaHost {
  private final ReplicaHost host;
  private volatile CountDownLatch answering = new CountDownLatch(0);

  HangingDisk(ReplicaHost host) {
    this.host = host;
  }

  /** Syncs that end from now on return after {@link #answer}. */
  void hang() {
    answering = new CountDownLatch(1);
  }

  void answer() {
    answering.countDown();
  }

  @Override
  public void store(List<DurableRecord> records, Runnable stored, Consumer<Throwable> failed) {
    host.store(
        records,
        () -> {
          try {
            answering.await();
            stored.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        },
        failed);
  }

  @Override
  public void gather(int records) {
    host.gather(records);
  }

  @Override
  public void stepAgain(Runnable step) {
    host.stepAgain(step);
  }

  @Override
  public long monotonicNanos() {
    return host.monotonicNanos();
  }

  @Override
  public long wallNanos() {
    return host.wallNanos();
  }

  @Override
  public long incarnation() {
    return host.incarnation();
  }

  @Override
  public boolean keepsRecords() {
    return host.keepsRecords();
  }

  @Override
  public Recovered recovered() throws IOException {
    return host.recovered();
  }

  @Override
  public void tick(Runnable tick, long pauseNanos) {
    host.tick(tick, pauseNanos);
  }

  @Override
  public void close() {
    answer();
    host.close();
  }
}
