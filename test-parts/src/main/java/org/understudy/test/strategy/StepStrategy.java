package org.understudy.test.strategy;

import java.util.Set;
import java.util.function.BiConsumer;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;

/** A strategy without peers whose whole protocol is one step that the test gives. Its status never changes. */
public final class StepStrategy implements ReplicationStrategy {
  private static final ReplicaStatus JOINING = new ReplicaStatus(Role.JOINING, View.NONE, 0, 0, false, 0, 0, 0);

  private final BiConsumer<Input, Effects> step;
  private final ReplicaStatus status;

  public StepStrategy(BiConsumer<Input, Effects> step) {
    this(step, JOINING);
  }

  public StepStrategy(BiConsumer<Input, Effects> step, ReplicaStatus status) {
    this.step = step;
    this.status = status;
  }

  @Override
  public String name() {
    return "step";
  }

  @Override
  public Set<Capability> requires() {
    return Set.of();
  }

  @Override
  public Assignment assign(View view) {
    return Assignment.ofPrimary(view);
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return new ReplicaCore() {
      @Override
      public void step(long now, long wall, Input input, Effects out) {
        step.accept(input, out);
      }

      @Override
      public ReplicaStatus status(long now) {
        return status;
      }

      @Override
      public long digest() {
        return 0;
      }
    };
  }
}
