package org.understudy.replication.runtime.decision;

import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.RepeatedTask;

/** Asks the database again and again whether it answers, on a thread of its own. */
final class DatabaseWatch {
  private static final Logger LOG = LoggerFactory.getLogger(DatabaseWatch.class);
  private static final long PAUSE_MS = 250;
  /** A database that restarts, or a packet that is sent again, is not worth another primary. */
  private static final long SILENCE_NANOS = TimeUnit.SECONDS.toNanos(3);

  private final DecisionStore store;
  private final Consumer<Boolean> changed;
  private final ScheduledThreadPoolExecutor thread = new ScheduledThreadPoolExecutor(1, new DaemonThreads("understudy-database-watch-"));
  private long answeredAt;
  private volatile boolean silent;

  /** @param changed takes whether the database answers, whenever that has changed; at first it does */
  DatabaseWatch(DecisionStore store, Consumer<Boolean> changed) {
    this.store = store;
    this.changed = changed;
  }

  void begin() {
    answeredAt = System.nanoTime();
    thread.scheduleWithFixedDelay(
        new RepeatedTask("The watch over the database", this::look), PAUSE_MS, PAUSE_MS, TimeUnit.MILLISECONDS);
  }

  private void look() {
    boolean answers = store.answers();
    long now = System.nanoTime();
    if (answers) {
      answeredAt = now;
    }
    boolean silentNow = now - answeredAt >= SILENCE_NANOS;
    if (silentNow != silent) {
      silent = silentNow;
      if (silentNow) {
        LOG.warn(
            "The database has not answered this replica for {} s. As primary it reports that it is not writable, and gives way to a"
                + " replica that the database answers. Check the database and the network to it.",
            TimeUnit.NANOSECONDS.toSeconds(SILENCE_NANOS));
      } else {
        LOG.info("The database answers this replica again.");
      }
      changed.accept(!silentNow);
    }
  }

  /** Why the database cannot be used; null while it answers. */
  String silent() {
    return silent ? "The database does not answer this replica." : null;
  }

  /** Not waited for: a database that does not answer must not delay the end of the replica. */
  void close() {
    thread.shutdownNow();
  }
}
