package org.understudy.test.strategy;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/**
 * Primary-backup that changes its mind: of ten executions that return it rolls back one at once and one in a later step,
 * has both run again, and leaves the decision on a third to a later step.
 */
public final class RollbackStrategy extends WrappedStrategy {
  /** How the strategy is named in {@code understudy.strategy}. */
  public static final String NAME = "primary-backup-with-rollbacks";

  private static final AtomicLong ROLLBACKS = new AtomicLong();

  public RollbackStrategy() {
    super(new PrimaryBackup(), RollbackStrategy::reconsidering);
  }

  /** How many executions were rolled back in this process, and run again. */
  public static long rollbacks() {
    return ROLLBACKS.get();
  }

  @Override
  public String name() {
    return NAME;
  }

  private static ReplicaCore reconsidering(ReplicaCore core) {
    AtomicInteger returned = new AtomicInteger();
    return new ReconsideringCore(core, () -> decision(returned.getAndIncrement()), ROLLBACKS::incrementAndGet);
  }

  private static ReconsideringCore.Decision decision(int place) {
    return switch (place % 10) {
      case 2 -> ReconsideringCore.Decision.AGAIN;
      case 5 -> ReconsideringCore.Decision.AGAIN_LATER;
      case 8 -> ReconsideringCore.Decision.LATER;
      default -> ReconsideringCore.Decision.AT_ONCE;
    };
  }
}
