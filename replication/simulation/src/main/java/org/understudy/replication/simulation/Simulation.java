package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.ReadConfirmation;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.simulation.checker.History;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.replication.simulation.checker.ReplyChecker;
import org.understudy.replication.simulation.checker.ResourceChecker;

/**
 * One history: clients run during faults, then everything is healed, then the checkers run.
 *
 * <p>More than 400 lines because a history has many settings, which replicas, clients and faults read here.
 */
public final class Simulation implements Trial {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAULTS = 5 * SECOND;
  /** With clients running, after everything has been healed. */
  private static final long HEALED = 3 * SECOND;
  /** Within so many round trips and this time after healing all replicas are in one view on slow links. */
  private static final long SLOW_ROUND_TRIPS = 20;
  private static final long SLOW_WHOLE = 3 * SECOND;
  /** Longer than any quarantine. */
  private static final long SETTLING = 70 * SECOND;

  /** In one of as many histories connections outlive cuts, and deliver late. */
  private static final int LATE = 4;
  /** In one of as many histories replicas pass the messages of others on. */
  private static final int RELAYED = 5;

  private final World world;
  private final SimulatedNetwork network;
  private final ReplicationStrategy strategy;
  private final List<String> warnings = new ArrayList<>();
  private final Set<Rule> rules;
  private SimulatedLimits limits;
  private final boolean answersInResponses;
  private final boolean encodesMessages;
  /** Whether some executions must be rolled back; not in scenarios. */
  private final boolean executionsFail;
  private ReadConfirmation reads;
  /** Whether executions are rolled back and run again; not in scenarios. */
  private final boolean reconsiders;
  private final SecondSteps secondSteps;
  private final Faults faults;
  private final History history = new History();
  /** The epochs in which a primary was writable while another one was. */
  private final Set<Long> contradictions = new TreeSet<>();
  private final Workload workload;
  private final ReplyChecker replies;
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final List<SimulatedClient> clients = new ArrayList<>();
  private long token = 1;
  private long execution = 1;
  private boolean working = true;
  /** Null when the replicas have no group channel. */
  private SimulatedGroup group;
  /** Null when all state is replicated. */
  private SimulatedDatabase database;
  /** Whether each run has a copy of its resource, instead of waiting until the run before it is decided. */
  private boolean copying;
  private final Work work = new Work();
  private boolean journals;
  /** Of slow links; 0 without them. */
  private long longestRoundTrip;
  private boolean startsEmpty;
  private boolean steadyClocks;
  private boolean relays;
  private Runnable whenReplied;
  /** How long the methods of some clients take at least, by the client's name. */
  private final Map<String, Long> methods = new TreeMap<>();
  /** Whether their reads take no longer than others. */
  private boolean slowUpdates;

  /** @param rules the enforced ones; all of them except for a mutant */
  public Simulation(long seed, int size, ReplicationStrategy strategy, Set<Rule> rules) {
    this(new World(seed), size, strategy, rules, null, null);
  }

  /** For scenarios: with limits that are not reached. */
  static Simulation scripted(long seed, int size, ReplicationStrategy strategy, Set<Rule> rules) {
    return new Simulation(new World(seed), size, strategy, rules, SimulatedLimits.ROOMY, null);
  }

  /** @param workload creates what runs on the group instead of its own counters and clients */
  public Simulation(
      long seed, int size, ReplicationStrategy strategy, Set<Rule> rules, Function<Simulation, Workload> workload) {
    this(new World(seed), size, strategy, rules, null, workload);
  }

  /** @param limits drawn from the seed when null */
  private Simulation(
      World world,
      int size,
      ReplicationStrategy strategy,
      Set<Rule> rules,
      SimulatedLimits limits,
      Function<Simulation, Workload> workload) {
    this.world = world;
    this.network = new SimulatedNetwork(world);
    this.strategy = strategy;
    this.rules = rules;
    this.limits = limits == null ? SimulatedLimits.draw(world) : limits;
    this.executionsFail = limits == null;
    this.answersInResponses = world.chance(0.3);
    this.encodesMessages = world.chance(0.3);
    this.reads = limits == null && world.chance(0.25) ? ReadConfirmation.ALWAYS : ReadConfirmation.LEASE;
    this.reconsiders = limits == null && world.chance(0.3);
    this.secondSteps = limits == null ? SecondSteps.draw(world) : SecondSteps.atOnce(world);
    this.faults = new Faults(this);
    for (int number = 1; number <= size; number++) {
      replicas.add(new SimulatedReplica(this, number));
    }
    this.workload = workload == null ? null : workload.apply(this);
    this.replies = new ReplyChecker(history, workload == null ? Observation::decode : this.workload::observation);
  }

  void started(SimulatedReplica replica) {
    if (workload != null) {
      workload.started(replica);
    }
  }

  /** Of the ends of the network. */
  int clientCount() {
    return workload == null ? clients.size() : workload.clients();
  }

  /** Each client sends this replica a request for one resource: a read, or an update when the level is null. */
  void invokeAt(int replica, int resource, ReadLevel level) {
    if (workload == null) {
      clients.forEach(client -> client.invokeAt(replica, resource, level));
    } else {
      workload.invokeAt(replica, level);
    }
  }

  private void startClients() {
    if (workload != null) {
      workload.begin();
      return;
    }
    SimulatedClient.Manner[] manners = {
      SimulatedClient.Manner.SESSION, SimulatedClient.Manner.SESSION, SimulatedClient.Manner.SESSION,
      SimulatedClient.Manner.MESSAGE_ID, SimulatedClient.Manner.NAMELESS
    };
    for (SimulatedClient.Manner manner : manners) {
      client(manner);
    }
    clients.forEach(SimulatedClient::start);
  }

  boolean executionsFail() {
    return executionsFail;
  }

  boolean reconsiders() {
    return reconsiders;
  }

  /** Updates of two clients take longer than a view change, and those of one of them longer than four suspicion times. */
  Simulation withSlowUpdates() {
    slowUpdates = true;
    methodsTake(SimulatedClient.name(1, SimulatedClient.Manner.SESSION), 2 * SECOND);
    methodsTake(SimulatedClient.name(4, SimulatedClient.Manner.MESSAGE_ID), 7 * SECOND / 10);
    return this;
  }

  /** Lets the methods that this client calls take as long, from now on. */
  void methodsTake(String client, long nanos) {
    methods.put(client, nanos);
  }

  /** How long the method of this operation takes at least. */
  long methodNanos(Operation operation) {
    return slowUpdates && !operation.update() ? 0 : methods.getOrDefault(operation.client(), 0L);
  }

  SecondSteps secondSteps() {
    return secondSteps;
  }

  /** For scenarios, before the replicas start. */
  void limit(SimulatedLimits others) {
    limits = others;
  }

  void confirmReads(ReadConfirmation how) {
    reads = how;
  }

  /** Gives the replicas a group channel, before they start. */
  public Simulation withGroupChannel() {
    group = new SimulatedGroup(this);
    return this;
  }

  /** Lets the replicas keep journals, before they start: then all of them may crash at once. */
  public Simulation withJournals() {
    journals = true;
    return this;
  }

  /**
   * Makes the links between the replicas long, uneven or narrow, before they start.
   *
   * @param longestDelayMs of one direction, without jitter and traffic
   */
  public Simulation withSlowLinks(long longestDelayMs) {
    limits = limits.forSlowLinks();
    StandingLink[][] links = StandingLink.draw(world, size(), longestDelayMs);
    network.stand(links);
    for (int from = 1; from <= size(); from++) {
      for (int to = 1; to < from; to++) {
        longestRoundTrip =
            Math.max(longestRoundTrip, links[from][to].quality().longestNanos() + links[to][from].quality().longestNanos());
      }
    }
    return this;
  }

  /** Lets the replicas agree to start without state if all of them have lost it, which the faults do not cause. */
  Simulation startingEmpty() {
    startsEmpty = true;
    return this;
  }

  /** For scenarios, before the replicas start: monotonic clocks do not drift. */
  void steadyClocks() {
    steadyClocks = true;
  }

  boolean hasSteadyClocks() {
    return steadyClocks;
  }

  /** Before the replicas start: they pass the messages of others on. */
  void withRelays() {
    relays = true;
  }

  boolean relays() {
    return relays;
  }

  /** Calls this shortly after the next answer to a client. */
  void whenReplied(Runnable what) {
    whenReplied = what;
  }

  /** Called when a client is being answered. */
  void replied() {
    if (whenReplied != null) {
      world.after(world.between(0, 2_000_000), whenReplied);
      whenReplied = null;
    }
  }

  boolean keepsJournals() {
    return journals;
  }

  /**
   * Gives the service state in a database that decides updates, before the replicas start.
   *
   * @param whole the resources of which nothing is replicated; without any, a part of {@code shared1} is in the database
   */
  public Simulation withDatabase(String... whole) {
    database = new SimulatedDatabase(world, rules, history, Set.of(whole), replies::committed);
    return this;
  }

  /** Null for none. */
  SimulatedDatabase database() {
    return database;
  }

  /** Null for none. */
  SimulatedGroup group() {
    return group;
  }

  /** A channel for the present life of a replica; null for none. */
  GroupChannel groupChannel(SimulatedReplica replica) {
    return group == null ? null : group.channel(replica);
  }

  /** Traces every event in {@link #run}, one line each. */
  public Simulation traceTo(PrintStream where) {
    world.traceTo(where);
    return this;
  }

  /** Runs to the end and returns the violations; empty for none. */
  @Override
  public List<String> run() {
    long begin = world.now();
    relays |= world.seed() % RELAYED == RELAYED - 1;
    replicas.forEach(SimulatedReplica::start);
    startClients();
    if (world.seed() % LATE == 1) {
      network.outliveCuts();
      faults.delayUntil(begin + FAULTS);
    }
    faults.startUntil(begin + FAULTS);
    if (group != null) {
      group.faultsUntil(begin + FAULTS);
    }
    if (database != null) {
      database.faultsUntil(begin + FAULTS);
    }
    world.runUntil(begin + FAULTS);
    faults.heal();
    if (longestRoundTrip > 0) {
      awaitWhole(SLOW_WHOLE + (network.outlivesCuts() ? Faults.LATEST : 0) + SLOW_ROUND_TRIPS * longestRoundTrip);
    }
    world.runUntil(Math.max(world.now(), begin + FAULTS + HEALED));
    return finish();
  }

  /** On slow links, the time until all replicas are in one view follows from those links. */
  private void awaitWhole(long nanos) {
    long healed = world.now();
    while (world.now() < healed + nanos && !whole()) {
      world.runUntil(world.now() + SECOND / 100);
    }
    if (!whole()) {
      StringBuilder text = new StringBuilder();
      text.append("not all replicas are in one view ").append(nanos / 1_000_000).append(" ms after healing, on links with round trips of ")
          .append(longestRoundTrip / 1_000_000).append(" ms at most:");
      replicas.forEach(replica -> text.append("\n    ").append(replica.describe()));
      history.violation("convergence", text.toString());
    }
  }

  /** Adds a client that does nothing yet. */
  SimulatedClient client(SimulatedClient.Manner manner) {
    SimulatedClient client = new SimulatedClient(this, clients.size() + 1, manner);
    clients.add(client);
    return client;
  }

  /** Heals everything, lets the group settle, and checks. */
  List<String> finish() {
    faults.heal();
    working = false;
    long end = world.now() + SETTLING;
    while (world.now() < end && !settled()) {
      world.runUntil(world.now() + SECOND / 10);
    }
    if (!settled()) {
      StringBuilder text = new StringBuilder("the group does not settle after healing:");
      replicas.forEach(replica -> text.append("\n    ").append(replica.describe()));
      history.operations().stream().filter(o -> o.end() == Operation.End.OPEN).limit(3)
          .forEach(o -> text.append("\n    ").append(o));
      history.violation("convergence", text.toString());
      return history.violations();
    }
    // Abandoned executions end as well.
    world.runUntil(world.now() + 3 * SECOND);
    if (workload != null) {
      workload.settled();
      world.runUntil(world.now() + SECOND);
    }
    // The last update may have become stable a moment ago: backups apply it when they learn that.
    long patience = world.now() + SECOND;
    while (!equalDigests() && world.now() < patience) {
      world.runUntil(world.now() + SECOND / 100);
    }
    Map<String, byte[]> image = replicas.get(0).image();
    for (SimulatedReplica replica : replicas) {
      if (!text(replica.image()).equals(text(image))) {
        history.violation("agreement", text(replica.image()) + " here and " + text(image) + " there");
      }
    }
    if (!equalDigests()) {
      history.violation("agreement", "the replicas' states have different digests");
    }
    if (database != null) {
      database.check(image, history.operations());
    }
    if (workload == null) {
      new ResourceChecker(history, SimulatedService::isPermanent, one -> database == null || !database.hasWhole(one)).check(image);
    } else {
      workload.finished(image);
      new ResourceChecker(history, workload::isPermanent).check(workload.plain(image));
    }
    return history.violations();
  }

  private static Map<String, String> text(Map<String, byte[]> image) {
    Map<String, String> text = new TreeMap<>();
    image.forEach((resource, state) -> text.put(resource, java.util.HexFormat.of().formatHex(state)));
    return text;
  }

  private boolean equalDigests() {
    return replicas.stream().map(SimulatedReplica::digest).distinct().count() == 1;
  }

  private boolean settled() {
    return whole() && (workload == null ? clients.stream().allMatch(SimulatedClient::idle) : workload.isIdle());
  }

  private boolean whole() {
    for (SimulatedReplica replica : replicas) {
      boolean member = replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP;
      if (!member || replica.view().members().size() != replicas.size()) {
        return false;
      }
    }
    return true;
  }

  /** Called when a replica begins to lead a view: every other member must have accepted it. */
  void accepted(int primary, View view) {
    for (ReplicaId member : view.members()) {
      if (member.number() != primary && replica(member.number()).acceptedEpoch() < view.epoch()) {
        history.violation("synchronised",
            "replica " + primary + " leads " + view + ", which replica " + member + " has not accepted");
      }
    }
  }

  /** Called when a replica that leads a view is writable: no other one may be at the same moment. */
  void writable(int primary) {
    for (SimulatedReplica other : replicas) {
      if (other.number() != primary && other.isWritablePrimary() && contradictions.add(replica(primary).view().epoch())) {
        history.violation("one writable primary", "replica " + primary + " is writable in " + replica(primary).view() + ", and replica "
            + other.number() + " in " + other.view());
      }
    }
  }

  Work work() {
    return work;
  }

  /** Lets runs begin at once, each on a copy of the resource as the replica shows it. */
  Simulation copying() {
    copying = true;
    return this;
  }

  boolean isCopying() {
    return copying;
  }

  /** The first other replica that considers itself primary, or 0. */
  int primaryBut(int other) {
    for (int number = 1; number <= replicas.size(); number++) {
      if (number != other && replica(number).role() == Role.PRIMARY) {
        return number;
      }
    }
    return 0;
  }

  /** As every replica should list them. */
  List<ReplicaId> configured() {
    List<ReplicaId> all = new ArrayList<>();
    for (int i = 1; i <= replicas.size(); i++) {
      all.add(new ReplicaId(i));
    }
    return all;
  }

  RuntimeSettings settings(int number, List<ReplicaId> listed) {
    return limits.settings(new ReplicaId(number), listed).with("understudy", reads).journaled(journals).startingEmpty(startsEmpty);
  }

  ReplicationStrategy strategy() {
    return strategy;
  }

  /** Called when a replica logs a line for its operator. */
  void warned(String line) {
    warnings.add(line);
  }

  /** All lines that replicas had for their operators. */
  List<String> warnings() {
    return warnings;
  }

  Set<Rule> rules() {
    return rules;
  }

  /** Whether messages are written and read by the codec on their way. */
  boolean encodesMessages() {
    return encodesMessages;
  }

  /** Whether messages that result at once return as the response of a call. */
  boolean answersInResponses() {
    return answersInResponses;
  }

  public World world() {
    return world;
  }

  public SimulatedNetwork network() {
    return network;
  }

  /** How many faults of each kind there were. */
  @Override
  public Map<Faults.Kind, Integer> faultCounts() {
    return Collections.unmodifiableMap(faults.counts());
  }

  Faults faults() {
    return faults;
  }

  /** The maximum size of a resource's state. */
  public int resourceBytes() {
    return SimulatedLimits.RESOURCE_BYTES;
  }

  public long sessionLeaseNanos() {
    return limits.core().sessionLeaseNanos();
  }

  SimulatedLimits limits() {
    return limits;
  }

  public SimulatedReplica replica(int number) {
    return replicas.get(number - 1);
  }

  public int size() {
    return replicas.size();
  }

  List<SimulatedReplica> replicas() {
    return Collections.unmodifiableList(replicas);
  }

  List<SimulatedClient> clients() {
    return Collections.unmodifiableList(clients);
  }

  long nextToken() {
    return token++;
  }

  /** A different number for every execution. */
  public long nextExecution() {
    return execution++;
  }

  /** Whether clients continue to invoke. */
  public boolean working() {
    return working;
  }

  @Override
  public History history() {
    return history;
  }

  ReplyChecker replies() {
    return replies;
  }
}
