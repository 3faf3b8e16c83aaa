package org.understudy.replication.simulation;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Proposal;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;

/**
 * A service of counters in one incarnation of a replica. Like the container, it keeps live objects with locks and restores
 * them when the replica's image has changed. Time passes before an execution begins and before it ends.
 */
final class SimulatedService {
  private static final String PERMANENT = "shared";
  private static final long MILLISECOND = 1_000_000;

  private final SimulatedReplica replica;
  private final World world;
  private final Map<String, LiveObject> live = new TreeMap<>();
  /** What the service keeps of the database in memory. */
  private final Map<String, SimulatedDatabase.Cell> mirror = new TreeMap<>();

  private static final class LiveObject {
    boolean present;
    long value;
    long writer;
    long version = -1;
    int readers;
    boolean updating;
    final ArrayDeque<Entrant> queue = new ArrayDeque<>();
  }

  private record Entrant(boolean update, Runnable run) {}

  SimulatedService(SimulatedReplica replica, World world) {
    this.replica = replica;
    this.world = world;
  }

  /** Whether a resource exists from the start, with value 0. */
  static boolean isPermanent(String resource) {
    return resource.startsWith(PERMANENT);
  }

  /** Loads what the database holds. */
  void reload() {
    mirror.clear();
    mirror.putAll(replica.database().cells());
  }

  private boolean isInDatabase(String resource) {
    return replica.database() != null && replica.database().has(resource);
  }

  private SimulatedDatabase.Cell mirrored(String resource) {
    return mirror.getOrDefault(resource, SimulatedDatabase.Cell.EMPTY);
  }

  /** Executes, some time from now. */
  void execute(long token, Operation operation) {
    replica.after(pause(), () -> {
      LiveObject object =
          replica.isCopying() ? new LiveObject() : live.computeIfAbsent(operation.resource(), r -> new LiveObject());
      Entrant entrant = new Entrant(operation.update(), () -> run(token, operation, object));
      object.queue.add(entrant);
      boolean free = object.queue.size() == 1 && !object.updating && (object.readers == 0 || !operation.update());
      replica.waits(free ? 0 : 1);
      admit(object);
    });
  }

  /** Usually short; occasionally long enough for a view change. */
  private long pause() {
    return world.chance(0.03) ? world.between(0, 1_200 * MILLISECOND)
        : world.chance(0.3) ? world.between(0, 4 * MILLISECOND) : 0;
  }

  private void admit(LiveObject object) {
    while (!object.queue.isEmpty() && !object.updating && !(object.queue.peek().update() && object.readers > 0)) {
      Entrant next = object.queue.poll();
      object.updating = next.update();
      object.readers += next.update() ? 0 : 1;
      replica.after(0, next.run());
    }
  }

  private void leave(LiveObject object, boolean update) {
    object.updating &= !update;
    object.readers -= update ? 0 : 1;
    admit(object);
  }

  private void restore(String resource, LiveObject object) {
    long version = replica.stateVersion(resource);
    if (object.present && object.version == version) {
      return;
    }
    byte[] state = replica.state(resource);
    object.present = state != null || isPermanent(resource);
    ByteBuffer bytes = state == null ? ByteBuffer.allocate(2 * Long.BYTES) : ByteBuffer.wrap(state);
    object.value = bytes.getLong();
    object.writer = bytes.getLong();
    object.version = version;
  }

  private void run(long token, Operation operation, LiveObject object) {
    Map<String, Long> seen = new TreeMap<>(Map.of(operation.resource(), replica.version(operation.resource())));
    restore(operation.resource(), object);
    Action action = operation.action();
    boolean inDatabase = isInDatabase(operation.resource());
    SimulatedDatabase.Cell before = mirrored(operation.resource());
    boolean whole = inDatabase && replica.database().hasWhole(operation.resource());
    if (whole) {
      object.value = before.value();
      object.writer = before.writer();
    }
    boolean half = inDatabase && (before.value() != object.value || before.writer() != object.writer);
    String shown = half ? operation + " found " + object.value + " replicated and " + before + " of the database" : null;
    boolean effective = operation.update() && object.present == (action != Action.CREATE);
    List<StateChange> changes = new ArrayList<>();
    if (effective) {
      long writer = replica.nextExecution();
      object.present = action != Action.DESTROY;
      object.value = object.present ? object.value + operation.amount() : 0;
      object.writer = object.present ? writer : 0;
      byte[] state = object.present
          ? ByteBuffer.allocate(2 * Long.BYTES).putLong(object.value).putLong(writer).array() : null;
      if (!whole) {
        changes.add(new StateChange(operation.resource(), state));
        if (hasTwin(operation.resource())) {
          changes.add(new StateChange(twin(operation.resource()), ByteBuffer.allocate(Long.BYTES).putLong(writer).array()));
        }
        changes.add(ExecutedUpdate.entry(writer, operation.number()));
      }
    }
    // Occasionally an execution must be rolled back: the resource becomes too large, or its state cannot be captured.
    boolean mayFail = effective && replica.executionsFail();
    boolean tooLarge = mayFail && !whole && object.present && world.chance(0.01);
    boolean fails = mayFail && world.chance(0.005);
    if (tooLarge) {
      byte[] state = changes.get(0).state();
      changes.set(0, new StateChange(operation.resource(), Arrays.copyOf(state, SimulatedLimits.RESOURCE_BYTES + 1)));
    }
    SimulatedBranch branch = null;
    if (inDatabase && effective) {
      SimulatedDatabase.Cell after = new SimulatedDatabase.Cell(before.value() + operation.amount(), object.writer);
      mirror.put(operation.resource(), after);
      branch = new SimulatedBranch(replica.database(), operation.resource(), operation.number(), before, after);
    }
    Proposal proposal = proposal(operation, object, effective, branch, shown);
    boolean deadlock = branch != null && world.chance(0.04);
    // The form of a response, which each member of the view must be able to read.
    byte form = (byte) replica.wire();
    Observation observed = new Observation(effective, object.present, object.value, object.writer);
    byte[] body = observed.encode(world.number());
    replica.after(replica.methodNanos(operation) + world.between(0, 3 * MILLISECOND), () -> {
      if (!operation.update() && hasTwin(operation.resource())) {
        readTwin(token, operation.resource(), seen, observed, form, proposal);
        return;
      }
      if (deadlock) {
        replica.aborted(token, proposal);
        return;
      }
      Outcome outcome = fails
          ? new Failure(FailureCode.ExecutionFailed, "The state cannot be captured.")
          : new Response(form, body);
      replica.executed(token, seen, outcome, changes, proposal);
    });
  }

  /** Whether each update writes a second key without reading it, as a container does with a topic's current message. */
  private boolean hasTwin(String resource) {
    return isPermanent(resource) && !isInDatabase(resource);
  }

  private static String twin(String resource) {
    return "twin-of-" + resource;
  }

  /** Ends a read with the resource's second key, which it reads some time after the resource. */
  private void readTwin(long token, String resource, Map<String, Long> seen, Observation observed, byte form, Proposal proposal) {
    seen.put(twin(resource), replica.version(twin(resource)));
    byte[] state = replica.state(twin(resource));
    long writer = state == null ? 0 : ByteBuffer.wrap(state).getLong();
    // No execution has written what shows the state of two updates.
    Observation shown =
        writer == observed.writer() ? observed : new Observation(false, observed.present(), observed.value(), -writer);
    replica.executed(token, seen, new Response(form, shown.encode(world.number())), List.of(), proposal);
  }

  /** @param shown how the database and the replicated state differed when the run began; null: they did not */
  private Proposal proposal(
      Operation operation, LiveObject object, boolean effective, SimulatedBranch branch, String shown) {
    return new Proposal() {
      @Override
      public Branch branch() {
        return branch;
      }

      @Override
      public void commit() {
        if (shown != null) {
          replica.violation("half a request", shown);
        }
        leave(object, operation.update());
      }

      @Override
      public void rollback() {
        object.present &= !effective;
        if (branch != null && mirrored(operation.resource()).equals(branch.after())) {
          mirror.put(operation.resource(), branch.before());
        }
        leave(object, operation.update());
      }
    };
  }
}
