package org.understudy.replication.simulation.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.wire.WireVersions;

/** One life of a replica: production's core, its state, and a container for transactions. Carries effects out after each step. */
final class SimulatedNode implements Effects {
  private static final int REPLICAS = 3;

  final TransactionSimulation simulation;
  final int group;
  final int number;
  final TreeMap<String, byte[]> image = new TreeMap<>();
  final SimulatedContainer container;
  private final ReplicaCore core;
  private final Map<String, Long> versions = new HashMap<>();
  /** Of all values that have not changed since. */
  private long transferred;
  private final TreeMap<String, byte[]> arriving = new TreeMap<>();
  private final Map<Long, Submission> submissions = new HashMap<>();
  private final ArrayDeque<Runnable> later = new ArrayDeque<>();
  private boolean carryingOut;
  private Role role = Role.JOINING;
  private long epoch;
  private boolean alive = true;
  private long pausedUntil;
  private Recovered disk;

  /** What becomes of one request that a container submits. Each method has no effect unless it is overridden. */
  abstract static class Submission {
    /** Permitted: ends with an {@link Input.Executed} or {@link Input.Abandoned} of this token. */
    abstract void execute(long token);

    void reply() {}

    void fail(Failure failure) {}

    void prepared(DecisionId id) {}

    void commit() {}

    void rollback() {}

    /** Of the database, which decides the update. */
    GroupDatabase.Branch branch() {
      return null;
    }
  }

  SimulatedNode(TransactionSimulation simulation, int group, int number, Recovered disk) {
    this.simulation = simulation;
    this.group = group;
    this.number = number;
    this.disk = disk;
    List<ReplicaId> all = new ArrayList<>();
    for (int i = 1; i <= REPLICAS; i++) {
      all.add(new ReplicaId(i));
    }
    this.core =
        new PrimaryBackup()
            .open(
                // The core takes what it recovers from a copy. All replicas may have lost their memory.
                new ReplicaSetup(
                    new ReplicaId(number), all, disk.with(List.of()), simulation.world().number() | 1,
                    TransactionSimulation.TIMING, Limits.DEFAULTS,
                    ReadConfirmation.LEASE, WireVersions.CURRENT, simulation.keepsJournals(), true, simulation.rules()));
    this.container = new SimulatedContainer(this);
    if (container.branches() != null) {
      step(new Input.UsesDatabase(false));
    }
    tick();
  }

  private void tick() {
    arrive(() -> step(new Input.Tick()));
    arrive(container::tick);
    if (alive) {
      simulation.world().after(TransactionSimulation.TICK, this::tick);
    }
  }

  /** The version of a value: the place of the last update that changed it. */
  long version(String key) {
    return versions.getOrDefault(key, transferred);
  }

  boolean isAlive() {
    return alive;
  }

  Role role() {
    return role;
  }

  /** Of the present view. */
  long epoch() {
    return epoch;
  }

  ReplicaCore core() {
    return core;
  }

  Recovered disk() {
    return disk;
  }

  void kill() {
    alive = false;
    simulation.disconnect(this);
  }

  void pause(long until) {
    pausedUntil = Math.max(pausedUntil, until);
  }

  /** Something reaches this life of the replica: later if it is paused, never if it is dead. */
  void arrive(Runnable what) {
    long now = simulation.world().now();
    if (alive && pausedUntil > now) {
      simulation.world().after(pausedUntil - now, () -> arrive(what));
    } else if (alive) {
      what.run();
    }
  }

  void submit(Request request, Submission submission) {
    long token = simulation.nextToken();
    submissions.put(token, submission);
    step(new Input.Requested(token, request));
  }

  void step(Input input) {
    if (!alive) {
      return;
    }
    if (carryingOut) {
      later.add(() -> stepNow(input));
      return;
    }
    stepNow(input);
    carryingOut = true;
    try {
      for (Runnable next = later.poll(); next != null && alive; next = later.poll()) {
        next.run();
      }
    } finally {
      carryingOut = false;
    }
  }

  /** Runs after the steps that wait. */
  void afterSteps(Runnable what) {
    if (carryingOut) {
      later.add(what);
    } else {
      what.run();
    }
  }

  private void stepNow(Input input) {
    long now = simulation.world().now();
    core.step(now, now, input, this);
  }

  private void later(long token, Consumer<Submission> what) {
    Submission submission = submissions.get(token);
    if (submission != null) {
      later.add(() -> what.accept(submission));
    }
  }

  @Override
  public void send(ReplicaId to, Message message) {
    simulation.network().send(this, group, to.number(), node -> node.step(new Input.Received(new ReplicaId(number), message)));
  }

  @Override
  public void warn(String line) {
    simulation.world().trace("%d.%d warns: %s", group, number, line);
  }

  @Override
  public void inform(String line) {
    simulation.world().trace("%d.%d informs: %s", group, number, line);
  }

  @Override
  public void stepAgain() {
    long delay = simulation.secondSteps().delay();
    if (delay == 0) {
      later.add(() -> stepNow(new Input.Continued()));
    } else {
      simulation.world().after(delay, () -> arrive(() -> step(new Input.Continued())));
    }
  }

  @Override
  public void multicast(Message message) {
    throw new AssertionError("Primary-backup has no group channel.");
  }

  @Override
  public void store(long token, DurableRecord record) {
    disk = disk.with(record);
    later.add(() -> stepNow(new Input.Stored(token)));
  }

  @Override
  public void append(long token, DurableRecord record) {
    disk = disk.with(List.of(record));
    later.add(() -> stepNow(new Input.Stored(token)));
  }

  @Override
  public void execute(long token, Request.Kind kind) {
    later(token, submission -> submission.execute(token));
  }

  @Override
  public void reply(long token, Reply reply) {
    later(token, Submission::reply);
  }

  @Override
  public void fail(long token, Failure failure) {
    later(token, submission -> submission.fail(failure));
  }

  @Override
  public void commit(long token, long version, List<StateChange> changes) {
    applied(version, changes);
    later(token, Submission::commit);
  }

  @Override
  public void rollback(long token) {
    later(token, Submission::rollback);
  }

  @Override
  public void prepared(long token, DecisionId id) {
    later(token, submission -> submission.prepared(id));
  }

  @Override
  public void decide(long token, DecisionId id, RequestKey key, long digest, Response response) {
    later(token, submission -> container.branches().decide(token, id, submission.branch()));
  }

  @Override
  public void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {
    later.add(() -> container.branches().fence(view, prepared));
  }

  /** The log has all replies: not all replicas lose their memory. */
  @Override
  public void recall(long view, DecisionId after) {
    later.add(() -> stepNow(new Input.Recalled(view, List.of(), null)));
  }

  @Override
  public void forget(DecisionId below, boolean all) {
    // Rows that stay cost nothing here.
  }

  @Override
  public void inDoubt(List<InDoubt> updates) {
    later.add(() -> container.inDoubt(updates));
  }

  @Override
  public void settled(DecisionId id, boolean stable) {
    later.add(() -> container.settled(id, stable));
  }

  @Override
  public void changed(Role next, View view) {
    role = next;
    epoch = view.epoch();
    simulation.world().trace("%d.%d is %s in %s", group, number, next, view);
    later.add(() -> container.changed(next));
  }

  @Override
  public void applied(long version, List<StateChange> changes) {
    for (StateChange change : changes) {
      versions.put(change.resource(), version);
      if (change.state() == null) {
        image.remove(change.resource());
      } else {
        image.put(change.resource(), change.state());
      }
    }
  }

  @Override
  public void stable(long index) {
    // Clients learn it from replies.
  }

  @Override
  public void receiving(int part, long version, List<StateChange> resources) {
    if (part == 0) {
      arriving.clear();
    }
    resources.forEach(resource -> arriving.put(resource.resource(), resource.state()));
  }

  @Override
  public void replaced(long version) {
    image.clear();
    image.putAll(arriving);
    versions.clear();
    transferred = version;
  }
}
