package org.understudy.simulation;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.simulation.Faults;
import org.understudy.replication.simulation.SimulatedNetwork;
import org.understudy.replication.simulation.SimulatedReplica;
import org.understudy.replication.simulation.Simulation;
import org.understudy.replication.simulation.Trial;
import org.understudy.replication.simulation.Workload;
import org.understudy.replication.simulation.World;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.History;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;

/** One history: clients of a service on a simulated group during faults, then everything is healed, then the checkers run. */
public final class ServiceSimulation implements Trial, Workload {
  private static final long MILLISECOND = 1_000_000L;
  private static final long SECOND = 1_000 * MILLISECOND;
  /** After everything has settled: longer than any request waits. */
  private static final long EVERYTHING_ENDS = 30 * SECOND;
  private static final long PROBE = 10 * SECOND;
  /** Sessions of a shorter lease are left to expire at the end. */
  private static final long SHORT_LEASE = 10 * SECOND;

  private final Simulation simulation;
  private final Mutant mutant;
  private final boolean incremental;
  private World world;
  private Transport transport;
  private boolean oneResource;
  private long patienceNanos;
  private long forwardNanos;
  private long heldBytes;
  private final Map<Integer, SimulatedContainer> containers = new TreeMap<>();
  private final List<StubClient> stubs = new ArrayList<>();
  private final List<ForeignClient> foreigners = new ArrayList<>();
  private final List<String> resources = new ArrayList<>();
  /** The ids of created resources, by the execution. */
  private final Map<Long, String> created = new LinkedHashMap<>();
  private final Map<String, Long> counts = new TreeMap<>();
  private final Set<Integer> copied = new HashSet<>();
  private final Map<Integer, byte[]> answers = new HashMap<>();

  /** @param mutant the disabled rule */
  public ServiceSimulation(long seed, int size, ReplicationStrategy strategy, Mutant mutant) {
    this.mutant = mutant;
    this.incremental = seed % 2 == 0;
    this.simulation = new Simulation(seed, size, strategy, Rule.ALL, this::on);
  }

  private Workload on(Simulation group) {
    world = group.world();
    transport = new Transport(this, world.chance(0.5) ? 0 : 0.04);
    oneResource = world.chance(0.2);
    patienceNanos = world.chance(0.4) ? 30 * MILLISECOND : 2 * SECOND;
    heldBytes = world.chance(0.3) ? 12L * Configuration.HELD_REQUEST_BYTES : 1L << 30;
    forwardNanos = world.chance(0.4) ? 200 * MILLISECOND : 4 * SECOND;
    return this;
  }

  /** Traces every event in {@link #run}, one line each. */
  public ServiceSimulation traceTo(PrintStream where) {
    simulation.traceTo(where);
    return this;
  }

  /** Runs to the end and returns the violations; empty for none. */
  @Override
  public List<String> run() {
    return simulation.run();
  }

  @Override
  public History history() {
    return simulation.history();
  }

  /** How often things happened that a history needs to be worth something. */
  @Override
  public Map<String, Long> counts() {
    Map<String, Long> all = new TreeMap<>(counts);
    history().operations().forEach(operation -> all.merge(operation.end().name().toLowerCase(Locale.ROOT), 1L, Long::sum));
    return all;
  }

  void count(String what) {
    counts.merge(what, 1L, Long::sum);
  }

  /** How many faults of each kind there were. */
  @Override
  public Map<Faults.Kind, Integer> faultCounts() {
    return simulation.faultCounts();
  }

  // ------------------------------------------------------------------------------------------------ what runs

  @Override
  public void started(SimulatedReplica replica) {
    containers.put(replica.number(), new SimulatedContainer(this, replica));
  }

  @Override
  public void begin() {
    for (int i = 0; i < 3; i++) {
      stubs.add(new StubClient(this, stubs.size() + 1));
    }
    for (ForeignClient.Manner manner : ForeignClient.Manner.values()) {
      foreigners.add(new ForeignClient(this, stubs.size() + foreigners.size() + 1, manner));
    }
    if (oneResource) {
      resources.add("service");
    }
    stubs.forEach(StubClient::start);
    foreigners.forEach(ForeignClient::start);
  }

  @Override
  public int clients() {
    return stubs.size() + foreigners.size();
  }

  @Override
  public void invokeAt(int replica, ReadLevel level) {
    foreigners.forEach(client -> client.invokeAt(replica, level));
  }

  @Override
  public boolean isIdle() {
    return stubs.stream().allMatch(StubClient::isIdle) && foreigners.stream().allMatch(ForeignClient::isIdle);
  }

  @Override
  public boolean isPermanent(String resource) {
    return oneResource;
  }

  @Override
  public Observation observation(byte[] body) {
    Result result = Result.decode(body);
    return result == null ? null : result.observation();
  }

  // ------------------------------------------------------------------------------------------------ the end

  @Override
  public void settled() {
    for (int replica = 1; replica <= size(); replica++) {
      int asked = replica;
      foreigners.forEach(client -> client.probe(asked));
      awaitIdle("replica " + replica);
    }
    if (leaseNanos() < SHORT_LEASE) {
      letSessionsExpire();
    }
    long end = world.now() + EVERYTHING_ENDS;
    while (!unfinished().isEmpty() && world.now() < end) {
      world.runUntil(world.now() + SECOND / 10);
    }
    String left = unfinished();
    if (!left.isEmpty()) {
      history().violation("nothing is left", left);
    }
  }

  @Override
  public void finished(Map<String, byte[]> image) {
    for (ExecutedUpdate update : ExecutedUpdate.all(image)) {
      String id = created.get(update.writer());
      Operation operation = history().operations().get(update.operation());
      if (id != null) {
        operation.created(id);
      }
    }
  }

  @Override
  public Map<String, byte[]> plain(Map<String, byte[]> image) {
    return incremental ? new FinalState(image).plain() : image;
  }

  /** Stubs that were silent for longer than their lease are refused, open another session and are served again. */
  private void letSessionsExpire() {
    List<StubClient> silent = stubs.stream().filter(StubClient::hasSession).toList();
    world.runUntil(world.now() + 2 * leaseNanos());
    silent.forEach(StubClient::askOfSession);
    awaitIdle("any replica, asked under an expired session,");
    for (StubClient stub : silent) {
      if (stub.hasSession()) {
        history().violation("session", "client " + stub.number() + " was silent for two leases, and its session goes on");
      }
    }
    stubs.forEach(StubClient::askOfSession);
    awaitIdle("any replica, asked under a new session,");
    for (StubClient stub : stubs) {
      if (!stub.hasSession()) {
        history().violation("session", "client " + stub.number() + " got no session after its old one had expired");
      }
    }
  }

  /** Every client gets an answer in time without faults. */
  private void awaitIdle(String replica) {
    long end = world.now() + PROBE;
    while (!isIdle() && world.now() < end) {
      world.runUntil(world.now() + SECOND / 100);
    }
    if (!isIdle()) {
      history().violation("liveness", "a request at " + replica + " has no answer though nothing breaks any more");
    }
  }

  private String unfinished() {
    StringBuilder left = new StringBuilder();
    containers.forEach((number, container) -> {
      String here = container.unfinished();
      left.append(here.isEmpty() ? "" : "replica " + number + " has " + here + " ");
    });
    return left.toString();
  }

  // ------------------------------------------------------------------------------------------------ what clients do

  /** An operation on some resource, as a client draws it. */
  Operation operation(String client, ReadLevel[] levels) {
    boolean creates = !oneResource && (resources.size() < 2 || world.chance(0.06));
    double what = world.between(0, 99);
    Action action = creates ? Action.CREATE : what < 45 ? Action.READ : what < 93 || oneResource ? Action.ADD : Action.DESTROY;
    String resource = creates ? "" : resources.get(world.pick(resources.size()));
    return invoked(client, action, resource, action == Action.READ ? levels[world.pick(levels.length)] : null);
  }

  /** An operation on a resource that exists or existed. */
  Operation invoked(String client, Action action, String resource, ReadLevel level) {
    // Few amounts, so that different requests often have equal bodies.
    long amount = action == Action.ADD || action == Action.CREATE ? 1 + world.pick(2) : 0;
    return history().invoked(client, action, resource, level, amount, world.now());
  }

  /** Null when there is none yet. */
  String anyResource() {
    return resources.isEmpty() ? null : resources.get(world.pick(resources.size()));
  }

  /** The end of an operation for its client. */
  void returned(Operation operation, Result result, Reply reply) {
    if (operation.action() == Action.CREATE && !resources.contains(result.resource())) {
      resources.add(result.resource());
    }
    operation.returned(result.observation(), reply.handle().position(), world.now());
  }

  /**
   * Called when a client learnt that nothing was executed: true of what it sent, but of no duplicate that the network made.
   */
  void refused(Operation operation) {
    if (copied.contains(operation.number())) {
      operation.unknown();
    } else {
      operation.refused();
    }
  }

  /** The network duplicates a request. */
  void copied(Operation operation) {
    copied.add(operation.number());
  }

  /**
   * Called when an execution has created a resource; clients may guess its id before they receive it, also after a
   * rollback.
   */
  void created(long writer, String id) {
    created.put(writer, id);
    if (world.chance(0.3)) {
      resources.add(id);
    }
  }

  /** Checks that a replica answers an update with the same bytes each time. */
  void answered(Operation operation, Reply reply) {
    byte[] body = reply.response().body();
    byte[] before = answers.putIfAbsent(operation.number(), body);
    if (before != null && !Arrays.equals(before, body)) {
      history().violation("replay", operation + " was answered in two ways");
    }
  }

  // ------------------------------------------------------------------------------------------------ parts

  boolean has(Mutant one) {
    return mutant == one;
  }

  World world() {
    return world;
  }

  Transport transport() {
    return transport;
  }

  SimulatedNetwork network() {
    return simulation.network();
  }

  SimulatedReplica replica(int number) {
    return simulation.replica(number);
  }

  /** On the present or the last life of a replica. */
  SimulatedContainer container(int number) {
    return containers.get(number);
  }

  int size() {
    return simulation.size();
  }

  boolean working() {
    return simulation.working();
  }

  boolean oneResource() {
    return oneResource;
  }

  /** Whether states travel as changes. */
  boolean incremental() {
    return incremental;
  }

  /** For how long a request waits for its resource. */
  long patienceNanos() {
    return patienceNanos;
  }

  /** For how long a request is forwarded. */
  long forwardNanos() {
    return forwardNanos;
  }

  /** What requests in progress may hold at a replica. */
  long heldBytes() {
    return heldBytes;
  }

  long leaseNanos() {
    return simulation.sessionLeaseNanos();
  }

  long nextExecution() {
    return simulation.nextExecution();
  }
}
