package org.understudy.test.strategy;

import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.RecordKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/**
 * Primary-backup that changes its mind: of ten executions that return it rolls back one at once and one in a later step,
 * has both run again, and leaves the decision on a third to a later step.
 */
public final class RollbackStrategy implements ReplicationStrategy {
  /** How the strategy is named in {@code understudy.strategy}. */
  public static final String NAME = "primary-backup-with-rollbacks";

  private static final AtomicLong ROLLBACKS = new AtomicLong();

  private final ReplicationStrategy strategy = new PrimaryBackup();

  /** How many executions were rolled back in this process, and run again. */
  public static long rollbacks() {
    return ROLLBACKS.get();
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public Set<Capability> requires() {
    return strategy.requires();
  }

  @Override
  public Assignment assign(View view) {
    return strategy.assign(view);
  }

  @Override
  public Set<RecordKind<?>> records() {
    return strategy.records();
  }

  @Override
  public List<MessageKind> messages() {
    return strategy.messages();
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    AtomicInteger returned = new AtomicInteger();
    return new ReconsideringCore(
        strategy.open(setup), () -> decision(returned.getAndIncrement()), ROLLBACKS::incrementAndGet);
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
