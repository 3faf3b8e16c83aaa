package org.understudy.test.strategy;

import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Capability;
import org.understudy.replication.core.MessageKind;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.record.RecordKind;

/** A strategy each of whose cores is wrapped by the test, to watch it or to make it fail. */
public class WrappedStrategy implements ReplicationStrategy {
  private final ReplicationStrategy strategy;
  private final UnaryOperator<ReplicaCore> wrapping;

  public WrappedStrategy(ReplicationStrategy strategy, UnaryOperator<ReplicaCore> wrapping) {
    this.strategy = strategy;
    this.wrapping = wrapping;
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public Set<Capability> requires() {
    return strategy.requires();
  }

  @Override
  public Set<Capability> uses() {
    return strategy.uses();
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
  public boolean canStartEmpty() {
    return strategy.canStartEmpty();
  }

  @Override
  public boolean needsEqualJournals() {
    return strategy.needsEqualJournals();
  }

  @Override
  public List<MessageKind> messages() {
    return strategy.messages();
  }

  @Override
  public boolean decides() {
    return strategy.decides();
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    return wrapping.apply(strategy.open(setup));
  }
}
