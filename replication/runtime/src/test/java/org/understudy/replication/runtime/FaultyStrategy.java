package org.understudy.replication.runtime;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.SurveyedReplica;

/** A strategy whose core runs out of memory in the middle of a step: where it names the effect of this name. */
final class FaultyStrategy implements ReplicationStrategy {
  private record Fault(String effect, Error error) {}

  private final ReplicationStrategy strategy;
  private final AtomicReference<Fault> fault = new AtomicReference<>();

  FaultyStrategy(ReplicationStrategy strategy) {
    this.strategy = strategy;
  }

  /** The next effect of this name is not taken, and the error is thrown instead; once. */
  void failAt(String effect, Error error) {
    fault.set(new Fault(effect, error));
  }

  @Override
  public String name() {
    return strategy.name();
  }

  @Override
  public boolean needsPeers() {
    return strategy.needsPeers();
  }

  @Override
  public ReplicaCore open(ReplicaSetup setup) {
    ReplicaCore core = strategy.open(setup);
    return new ReplicaCore() {
      @Override
      public void step(long now, long wall, Input input, Effects out) {
        core.step(now, wall, input, fault.get() == null ? out : faulty(out));
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
    };
  }

  private Effects faulty(Effects out) {
    return (Effects)
        Proxy.newProxyInstance(
            Effects.class.getClassLoader(),
            new Class<?>[] {Effects.class},
            (proxy, method, arguments) -> {
              Fault armed = fault.get();
              if (armed != null && method.getName().equals(armed.effect()) && fault.compareAndSet(armed, null)) {
                throw armed.error();
              }
              return method.invoke(out, arguments);
            });
  }
}
