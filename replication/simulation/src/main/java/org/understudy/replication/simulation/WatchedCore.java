package org.understudy.replication.simulation;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaStatus;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.SurveyedReplica;
import org.understudy.replication.core.membership.MembershipMessage;
import org.understudy.replication.core.order.OrderMessage;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.simulation.checker.ExecutedUpdate;

/** A core whose steps are checked: its replies when it requests them. Can throw errors in a step. */
final class WatchedCore implements ReplicaCore, Effects {
  /** By so much the clocks of a replica may move apart before that counts as a jump: half of the margin of a lease. */
  private static final long UNNOTICED = SimulatedLimits.ROOMY.leaseMarginNanos() / 2;

  private final ReplicaCore core;
  private final int number;
  private final Simulation simulation;
  private Effects out;
  private long now;
  private Role role = Role.JOINING;
  /** By how much the clocks differed in the last step that the strategy has certainly seen. */
  private long offset;
  private long stable;
  /** The last update applied in this step while it was a backup. */
  private long shown;
  private int effectsUntilError = -1;
  /** How often each update has been run, by token. */
  private final TreeMap<Long, Integer> runs = new TreeMap<>();
  private ClockReading clocks = new ClockReading(0, 0);
  /** The wire version of the view, according to its heartbeats. */
  private int wire;
  /** The records that were requested and are not known to be durable, by token. */
  private final TreeMap<Long, DurableRecord> unstored = new TreeMap<>();

  /** An error that the simulation throws inside a step, where production may run out of memory. */
  private static final class InjectedError extends Error {
    private static final long serialVersionUID = 1L;

    InjectedError() {
      super("injected", null, false, false);
    }
  }

  WatchedCore(ReplicaCore core, int number, Simulation simulation) {
    this.core = core;
    this.number = number;
    this.simulation = simulation;
  }

  /** One of the next steps throws after this many effects; below zero: none does. */
  void throwAfter(int effects) {
    effectsUntilError = effects;
  }

  /** The wire version of the view that it leads or has led. */
  int wire() {
    return wire;
  }

  boolean mayThrow() {
    return effectsUntilError >= 0;
  }

  @Override
  public void step(long at, long wall, Input input, Effects effects) {
    out = effects;
    now = at;
    if (!(input instanceof Input.Executed) || !simulation.reconsiders()) {
      offset = wall - at;
    }
    if (simulation.world().isTraced() && input instanceof Input.Received received && Tracing.tells(received.message())) {
      trace("%d <- %d  %s", number, received.from().number(), Tracing.text(received.message()));
    }
    if (input instanceof Input.Stored stored) {
      checkStored(stored.token());
    }
    shown = 0;
    try {
      core.step(at, wall, input, this);
      if (shown > stable) {
        simulation.history().violation("stable state", "backup " + number + " shows update " + shown
            + " to its live objects while only " + stable + " is stable, after " + input);
      }
      if (isWritablePrimary(at, wall)) {
        simulation.writable(number);
      }
    } catch (InjectedError e) {
      trace("%d throws inside a step", number);
      throw e;
    } catch (RuntimeException | Error e) {
      simulation.history().violation("broken invariant", e + " at " + e.getStackTrace()[0] + " in " + input);
      throw e;
    }
  }

  /**
   * Whether a health page would show this replica as a writable primary. A replica whose clocks have moved apart since its last step
   * finds that out in the next one.
   */
  boolean isWritablePrimary(long at, long wall) {
    boolean compared = Math.abs(wall - at - offset) <= UNNOTICED;
    return role == Role.PRIMARY && compared && core.status(at).writable();
  }

  /** What the core considers durable is on the disk, or a record that supersedes it. */
  private void checkStored(long token) {
    Map<Long, DurableRecord> durable = unstored.headMap(token, true);
    durable.values().forEach(record -> {
      if (!simulation.replica(number).keeps(record)) {
        simulation.history().violation("disk", "replica " + number + " takes " + record + " for durable, and it is not");
      }
    });
    durable.clear();
  }

  @Override
  public List<SurveyedReplica> surveyed() {
    return core.surveyed();
  }

  @Override
  public List<InDoubt> undecided() {
    return core.undecided();
  }

  @Override
  public ReplicaStatus status(long at) {
    return core.status(at);
  }

  @Override
  public long digest() {
    return core.digest();
  }

  private void trace(String format, Object... arguments) {
    simulation.world().trace(format, arguments);
  }

  private void effect() {
    if (effectsUntilError >= 0 && effectsUntilError-- == 0) {
      throw new InjectedError();
    }
  }

  @Override
  public void send(ReplicaId to, Message message) {
    effect();
    wire = message instanceof MembershipMessage.Heartbeat beat ? beat.wire() : wire;
    if (message instanceof OrderMessage.Update sent) {
      appended(sent.update());
    }
    out.send(to, message);
  }

  /** Its execution has an update even if this replica halts before it commits: the others have the message. */
  private void appended(StateUpdate update) {
    if (update.origin() == null && update.decision() == null) {
      for (StateChange change : update.changes()) {
        if (ExecutedUpdate.isEntry(change.resource())) {
          simulation.replies().appended(number, ExecutedUpdate.of(change.resource(), change.state()));
        }
      }
    }
  }

  @Override
  public void warn(String line) {
    effect();
    trace("%d warns: %s", number, line);
    simulation.warned(line);
    out.warn(line);
  }

  @Override
  public void inform(String line) {
    effect();
    trace("%d informs: %s", number, line);
    out.inform(line);
  }

  @Override
  public void stepAgain() {
    effect();
    out.stepAgain();
  }

  @Override
  public void multicast(Message message) {
    effect();
    out.multicast(message);
  }

  @Override
  public void store(long token, DurableRecord record) {
    effect();
    unstored.put(token, record);
    out.store(token, record);
  }

  @Override
  public void append(long token, DurableRecord record) {
    effect();
    unstored.put(token, record);
    out.append(token, record);
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    effect();
    if (kind == Request.Kind.UPDATE) {
      simulation.work().ran(runs.merge(token, 1, Integer::sum));
    }
    out.execute(token, kind);
  }

  @Override
  public void reply(long token, Reply reply) {
    effect();
    simulation.replies().replied(number, reply, stable);
    out.reply(token, reply);
  }

  @Override
  public void fail(long token, Failure failure) {
    effect();
    trace("%d fails %d: %s", number, token, failure);
    out.fail(token, failure);
  }

  @Override
  public void commit(long token, long version, List<StateChange> changes) {
    effect();
    look(changes);
    out.commit(token, version, changes);
  }

  @Override
  public void rollback(long token) {
    effect();
    out.rollback(token);
  }

  @Override
  public void decide(long token, DecisionId id, RequestKey key, long digest, Response response) {
    effect();
    out.decide(token, id, key, digest, response);
  }

  @Override
  public void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {
    effect();
    trace("%d fences the database for view %d, prepared %s", number, view, prepared);
    out.fence(view, last, prepared, reload);
  }

  @Override
  public void recall(long view, DecisionId after) {
    effect();
    out.recall(view, after);
  }

  @Override
  public void forget(DecisionId below, boolean all) {
    effect();
    out.forget(below, all);
  }

  @Override
  public void prepared(long token, DecisionId id) {
    effect();
    trace("%d votes for %s", number, id);
    out.prepared(token, id);
  }

  @Override
  public void inDoubt(List<InDoubt> updates) {
    effect();
    trace("%d is in doubt about %s", number, updates);
    out.inDoubt(updates);
  }

  @Override
  public void settled(DecisionId id, boolean stable) {
    effect();
    out.settled(id, stable);
  }

  @Override
  public void changed(Role newRole, View view) {
    effect();
    role = newRole;
    if (simulation.world().isTraced()) {
      trace("%d is %s in %s, %s", number, newRole, view, core.status(now));
    }
    if (newRole == Role.PRIMARY) {
      simulation.history().primary(number, view.epoch());
      simulation.accepted(number, view);
    }
    out.changed(newRole, view);
  }

  @Override
  public void applied(long version, List<StateChange> changes) {
    effect();
    look(changes);
    out.applied(version, changes);
  }

  private void look(List<StateChange> changes) {
    for (StateChange change : changes) {
      if (!ExecutedUpdate.isEntry(change.resource())) {
        continue;
      }
      ExecutedUpdate update = ExecutedUpdate.of(change.resource(), change.state());
      // Also while it changes to another view: it then applies what it holds of the one before.
      if (role != Role.JOINING) {
        simulation.replies().appended(number, update);
      }
      if (role == Role.BACKUP) {
        shown = Math.max(shown, update.index());
      }
    }
  }

  @Override
  public void stable(long index) {
    effect();
    stable = index;
    out.stable(index);
  }

  @Override
  public void time(ClockReading reading) {
    clocks = reading;
    out.time(reading);
  }

  /** How far the clocks of the group are ahead of the monotonic clock of this replica. */
  ClockReading clocks() {
    return clocks;
  }

  @Override
  public void receiving(int part, long version, List<StateChange> resources) {
    effect();
    for (StateChange resource : resources) {
      if (ExecutedUpdate.isEntry(resource.resource())
          && ExecutedUpdate.of(resource.resource(), resource.state()).index() > version) {
        simulation.history().violation("state transfer", "replica " + number + " receives a state as of update " + version
            + " with the later change " + resource.resource());
      }
    }
    out.receiving(part, version, resources);
  }

  @Override
  public void replaced(long version) {
    effect();
    simulation.replies().replaced(number);
    out.replaced(version);
  }
}
