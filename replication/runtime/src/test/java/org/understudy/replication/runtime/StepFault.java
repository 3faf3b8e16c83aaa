package org.understudy.replication.runtime;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.test.strategy.WrappedStrategy;

/** An error in the middle of a step, thrown when the core requests the effect of this name. */
final class StepFault {
  private record Fault(String effect, Error error) {}

  private final AtomicReference<Fault> fault = new AtomicReference<>();

  /** Throws the error once, at the next effect of this name. */
  void failAt(String effect, Error error) {
    fault.set(new Fault(effect, error));
  }

  /** Wraps the strategy so that its cores have this fault. */
  ReplicationStrategy in(ReplicationStrategy strategy) {
    return new WrappedStrategy(strategy, Core::new);
  }

  private final class Core implements ReplicaCore {
    private final ReplicaCore core;

    Core(ReplicaCore core) {
      this.core = core;
    }

    @Override
    public void step(long now, long wall, Input input, Effects out) {
      core.step(now, wall, input, fault.get() == null ? out : faulty(out));
    }

    @Override
    public List<InDoubt> undecided() {
      return core.undecided();
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
