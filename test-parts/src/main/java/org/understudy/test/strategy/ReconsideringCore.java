package org.understudy.test.strategy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;

/**
 * Makes a core decide on executions like a strategy that certifies them: rolls some back, at once or later, and runs them
 * again; delays the decision on others. The core sees only the last run.
 */
public final class ReconsideringCore implements ReplicaCore {
  /** What happens to an execution that has returned. */
  public enum Decision {
    /** The core decides in the step of its return. */
    AT_ONCE,
    /** The core decides with the next tick. */
    LATER,
    /** It is rolled back and runs again. */
    AGAIN,
    /** With the next tick it is rolled back and runs again. */
    AGAIN_LATER
  }

  private final ReplicaCore core;
  private final Supplier<Decision> decisions;
  private final Runnable onRollback;
  /** The requests that may be executed, by token. */
  private final Map<Long, Request.Kind> kinds = new TreeMap<>();
  /** Decided on with the next tick. */
  private final List<Input.Executed> refused = new ArrayList<>();
  private final List<Input.Executed> delayed = new ArrayList<>();

  /**
   * Wraps a core.
   *
   * @param decisions called once for each execution that returns a response
   * @param onRollback runs at each rollback
   */
  public ReconsideringCore(ReplicaCore core, Supplier<Decision> decisions, Runnable onRollback) {
    this.core = core;
    this.decisions = decisions;
    this.onRollback = onRollback;
  }

  @Override
  public void step(long now, long wall, Input input, Effects out) {
    if (input instanceof Input.Executed executed && executed.outcome() instanceof Response) {
      executed(now, wall, executed, out);
      return;
    }
    if (input instanceof Input.Requested requested) {
      kinds.put(requested.token(), requested.request().kind());
    } else if (input instanceof Input.Tick) {
      refused.forEach(executed -> again(executed, out));
      refused.clear();
      delayed.forEach(executed -> core.step(now, wall, executed, out));
      delayed.clear();
    }
    core.step(now, wall, input, out);
  }

  private void executed(long now, long wall, Input.Executed executed, Effects out) {
    switch (decisions.get()) {
      case AT_ONCE -> core.step(now, wall, executed, out);
      case LATER -> delayed.add(executed);
      case AGAIN -> again(executed, out);
      case AGAIN_LATER -> refused.add(executed);
    }
  }

  private void again(Input.Executed executed, Effects out) {
    onRollback.run();
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
