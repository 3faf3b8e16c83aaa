package org.understudy.test.strategy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.RecordKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.SurveyedReplica;
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
    return new Core(strategy.open(setup));
  }

  private static final class Core implements ReplicaCore {
    private final ReplicaCore core;
    /** Of the requests that may be executed. */
    private final Map<Long, Request.Kind> kinds = new HashMap<>();
    /** To be decided with the next tick. */
    private final List<Input.Executed> refused = new ArrayList<>();
    private final List<Input.Executed> delayed = new ArrayList<>();
    private int returned;

    Core(ReplicaCore core) {
      this.core = core;
    }

    @Override
    public void step(long now, long wall, Input input, Effects out) {
      if (input instanceof Input.Requested requested) {
        kinds.put(requested.token(), requested.request().kind());
      } else if (input instanceof Input.Executed executed && executed.outcome() instanceof Response) {
        executed(now, wall, executed, out);
        return;
      } else if (input instanceof Input.Tick) {
        refused.forEach(executed -> repeat(executed, out));
        refused.clear();
        delayed.forEach(executed -> core.step(now, wall, executed, out));
        delayed.clear();
      }
      core.step(now, wall, input, out);
    }

    private void executed(long now, long wall, Input.Executed executed, Effects out) {
      switch (returned++ % 10) {
        case 2 -> repeat(executed, out);
        case 5 -> refused.add(executed);
        case 8 -> delayed.add(executed);
        default -> core.step(now, wall, executed, out);
      }
    }

    private void repeat(Input.Executed executed, Effects out) {
      ROLLBACKS.incrementAndGet();
      out.rollback(executed.token());
      out.execute(executed.token(), kinds.get(executed.token()));
    }

    @Override
    public List<SurveyedReplica> surveyed() {
      return core.surveyed();
    }

    @Override
    public ReplicaStatus status(long now) {
      return core.status(now);
    }

    @Override
    public long digest() {
      return core.digest();
    }
  }
}
