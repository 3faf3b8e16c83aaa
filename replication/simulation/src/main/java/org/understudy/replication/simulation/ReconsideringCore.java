package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.Response;
import org.understudy.replication.core.SurveyedReplica;

/**
 * Lets a core decide on executions as a strategy that certifies them: rolls some back, at once or later, and has them run
 * again; on others the core decides later. The core hears only of the last run.
 */
final class ReconsideringCore implements ReplicaCore {
  private final ReplicaCore core;
  private final World world;
  /** Of the requests that may be executed, by token. */
  private final Map<Long, Request.Kind> kinds = new TreeMap<>();
  /** Decided on with the next tick. */
  private final List<Input.Executed> refused = new ArrayList<>();
  private final List<Input.Executed> delayed = new ArrayList<>();

  ReconsideringCore(ReplicaCore core, World world) {
    this.core = core;
    this.world = world;
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
    if (world.chance(0.1)) {
      if (world.chance(0.5)) {
        again(executed, out);
      } else {
        refused.add(executed);
      }
    } else if (world.chance(0.1)) {
      delayed.add(executed);
    } else {
      core.step(now, wall, executed, out);
    }
  }

  private void again(Input.Executed executed, Effects out) {
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
