package org.understudy.container.balancing;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.LoadIndex;
import org.understudy.replication.core.LoadBoard;

/** The load index of this replica: the requests in progress, or an installed index. Thread-safe. */
final class OwnLoad {
  private static final Logger LOG = LoggerFactory.getLogger(OwnLoad.class);

  private final IntSupplier inProgress;
  private final LoadIndex installed;
  private final AtomicBoolean logged = new AtomicBoolean();
  private volatile int measured = LoadBoard.UNKNOWN;

  /** @param installed null for the requests in progress */
  OwnLoad(IntSupplier inProgress, LoadIndex installed) {
    this.inProgress = inProgress;
    this.installed = installed;
  }

  /** Measures the index. An installed one is measured by the thread of the clock only. */
  int measure() {
    if (installed == null) {
      return inProgress.getAsInt();
    }
    try {
      measured = Math.max(LoadBoard.UNKNOWN, installed.current());
    } catch (RuntimeException e) {
      measured = LoadBoard.UNKNOWN;
      if (logged.compareAndSet(false, true)) {
        LOG.warn(
            "The load index {} failed, so that this replica neither passes requests on nor gets any. Further failures are not logged.",
            installed.name(), e);
      }
    }
    return measured;
  }

  /** The present number of requests, or the index as it was measured last. */
  int current() {
    return installed == null ? inProgress.getAsInt() : measured;
  }
}
