package org.understudy.replication.runtime;

import java.io.IOException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.runtime.record.GroupIdentity;
import org.understudy.replication.runtime.record.RecordDirectory;
import org.understudy.replication.runtime.time.GroupClocks;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;
import org.understudy.thread.Threads;

/** The clocks of this machine, one thread for the timer, and one for the disk. */
final class ProcessHost implements ReplicaHost {
  private static final int GATHERING = 8;
  private static final long MIN_GATHERING_NANOS = 50_000;
  private static final long MAX_GATHERING_NANOS = 1_000_000;
  private static final Logger LOG = LoggerFactory.getLogger(ProcessHost.class);

  private final RecordDirectory records;
  /** How long the last batch took. Of the thread for the disk. */
  private long storeNanos;
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(task -> DaemonThreads.daemon("understudy-clock", task));
  private final ExecutorService storage =
      Executors.newSingleThreadExecutor(task -> DaemonThreads.daemon("understudy-storage", task));

  /** @param records closed by {@link #close}; null when none are kept */
  private ProcessHost(RecordDirectory records) {
    this.records = records;
  }

  /**
   * Opens the records that the strategy stores.
   *
   * @throws IOException when the directory cannot be used, in one sentence
   */
  static ProcessHost open(RuntimeSettings settings, ReplicationStrategy strategy) throws IOException {
    LoadedClasses.load();
    return new ProcessHost(strategy.records().isEmpty() ? null : directory(settings, strategy));
  }

  private static RecordDirectory directory(RuntimeSettings settings, ReplicationStrategy strategy) throws IOException {
    RecordDirectory directory =
        RecordDirectory.open(
            settings.directory(),
            new GroupIdentity(settings.group(), strategy.name(), settings.configured()),
            strategy.records().stream().filter(kind -> settings.journal() || !kind.isAppended()).collect(Collectors.toSet()));
    try {
      directory.claim(settings.self());
      return directory;
    } catch (IOException | RuntimeException e) {
      directory.close();
      throw e;
    }
  }

  @Override
  public long monotonicNanos() {
    return System.nanoTime();
  }

  @Override
  public long wallNanos() {
    // Finer than milliseconds: a jump of half the lease's margin counts, which can be less than one.
    return GroupClocks.processNanos();
  }

  @Override
  public long incarnation() {
    return new SecureRandom().nextLong() | 1;
  }

  @Override
  public boolean keepsRecords() {
    return records != null;
  }

  @Override
  public Recovered recovered() throws IOException {
    return records == null ? Recovered.NOTHING : records.load();
  }

  @Override
  public void store(List<DurableRecord> batch, Runnable stored, Consumer<Throwable> failed) {
    try {
      storage.execute(() -> storeNow(batch, stored, failed));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closing: records are not stored any more, and nothing that rests on them leaves.", e);
    }
  }

  private void storeNow(List<DurableRecord> batch, Runnable stored, Consumer<Throwable> failed) {
    long began = System.nanoTime();
    try {
      records.store(batch);
      storeNanos = System.nanoTime() - began;
      stored.run();
    } catch (IOException | RuntimeException | Error e) {
      // Also of what follows: the next batch could stay where it is, and nothing would be stored any more.
      failed.accept(e);
    }
  }

  /** A part of the time that storing takes: as nothing on a fast disk, and on a slow one enough for the next requests to arrive. */
  @Override
  public void gather(int stored) {
    long pause = Math.min(storeNanos / GATHERING, MAX_GATHERING_NANOS);
    if (stored > 1 && pause >= MIN_GATHERING_NANOS) {
      LockSupport.parkNanos(pause);
    }
  }

  @Override
  public void tick(Runnable tick, long pauseNanos) {
    timer.scheduleWithFixedDelay(new RepeatedTask("A tick of the replica's clock", tick), 0, pauseNanos, TimeUnit.NANOSECONDS);
  }

  @Override
  public void close() {
    timer.shutdownNow();
    storage.shutdown();
    Threads.join("The clock of the replica", timer);
    Threads.join("The storage of the replica", storage);
    try {
      if (records != null) {
        records.close();
      }
    } catch (IOException e) {
      LOG.warn("The lock of the replica's directory was not released: {}", e.getMessage());
    }
  }
}
