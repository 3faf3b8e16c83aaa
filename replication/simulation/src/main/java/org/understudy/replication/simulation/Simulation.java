package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Limits;
import org.understudy.replication.core.MembershipRecord;
import org.understudy.replication.core.ReplicaCore;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.simulation.checker.CounterChecker;
import org.understudy.replication.simulation.checker.History;

/** One history: clients at work while things break, then a time of healing, then the checkers. */
public final class Simulation {
  private static final long SECOND = 1_000_000_000L;
  private static final long FAULTS = 5 * SECOND;
  private static final long HEALING = 12 * SECOND;

  private final World world;
  private final SimulatedNetwork network;
  private final ReplicationStrategy strategy;
  private final Set<Rule> rules;
  private final History history = new History();
  private final List<SimulatedReplica> replicas = new ArrayList<>();
  private final List<SimulatedClient> clients = new ArrayList<>();
  /** Who crashed and is not a member of a view again. */
  private final Set<Integer> lost = new TreeSet<>();
  private long token = 1;
  private boolean working = true;

  /** @param rules those in force; all of them but for a mutant */
  public Simulation(long seed, int size, ReplicationStrategy strategy, Set<Rule> rules) {
    this.world = new World(seed);
    this.network = new SimulatedNetwork(world);
    this.strategy = strategy;
    this.rules = rules;
    for (int number = 1; number <= size; number++) {
      replicas.add(new SimulatedReplica(this, number));
    }
  }

  /** Tells what happens in {@link #run}, a line each. */
  public Simulation traceTo(PrintStream where) {
    world.traceTo(where);
    return this;
  }

  /** Runs to the end and returns what was violated; empty when all is well. */
  public List<String> run() {
    long begin = world.now();
    replicas.forEach(SimulatedReplica::start);
    SimulatedClient.Manner[] manners = {
      SimulatedClient.Manner.SESSION, SimulatedClient.Manner.SESSION, SimulatedClient.Manner.SESSION,
      SimulatedClient.Manner.MESSAGE_ID, SimulatedClient.Manner.NAMELESS
    };
    for (SimulatedClient.Manner manner : manners) {
      client(manner);
    }
    clients.forEach(SimulatedClient::start);
    world.after(SECOND / 2, this::nextFault);
    world.runUntil(begin + FAULTS);
    heal();
    world.runUntil(begin + FAULTS + HEALING / 2);
    return finish();
  }

  /** A client more, which does nothing yet. */
  SimulatedClient client(SimulatedClient.Manner manner) {
    SimulatedClient client = new SimulatedClient(this, clients.size() + 1, manner);
    clients.add(client);
    return client;
  }

  /** Heals all, lets the group settle, and checks. */
  List<String> finish() {
    heal();
    working = false;
    long end = world.now() + HEALING / 2;
    while (world.now() < end && !settled()) {
      world.runUntil(world.now() + SECOND / 10);
    }
    if (!settled()) {
      StringBuilder text = new StringBuilder("the group does not settle after healing:");
      replicas.forEach(replica -> replica.describe().forEach(line -> text.append("\n    ").append(line)));
      history.operations().stream().filter(o -> o.toString().contains("OPEN")).limit(3)
          .forEach(o -> text.append("\n    ").append(o));
      history.violation("convergence", text.toString());
      return history.violations();
    }
    world.runUntil(world.now() + SECOND / 2);
    for (SimulatedReplica replica : replicas) {
      if (!replica.counters().equals(replicas.get(0).counters())) {
        history.violation("agreement", replica.counters() + " here and " + replicas.get(0).counters() + " there");
      }
    }
    new CounterChecker(history).check(replicas.get(0).counters());
    return history.violations();
  }

  private boolean settled() {
    for (SimulatedReplica replica : replicas) {
      boolean member = replica.role() == Role.PRIMARY || replica.role() == Role.BACKUP;
      if (!member || replica.view().members().size() != replicas.size()) {
        return false;
      }
    }
    return clients.stream().allMatch(SimulatedClient::idle);
  }

  // ------------------------------------------------------------------------------------------------ faults

  private void nextFault() {
    if (world.now() >= SECOND + FAULTS) {
      return;
    }
    int victim = world.chance(0.5) ? leader() : 1 + world.pick(replicas.size());
    int fault = world.pick(12);
    world.trace("fault %d at %d", fault, victim);
    switch (fault) {
      case 0, 1 -> crash(victim);
      case 2 -> pause(victim);
      case 3 -> isolate(victim, true, true);
      case 4 -> isolate(victim, world.chance(0.5), false);
      case 5 -> network.quality(0.05, 0.05, 10_000_000);
      case 6 -> network.quality(0, 0, 2_000_000);
      case 7 -> slander(victim);
      case 8 -> forget(victim);
      case 9 -> forswear();
      case 10 -> bereave();
      default -> network.heal();
    }
    world.after(world.between(20_000_000, SECOND), this::nextFault);
  }

  private int leader() {
    int primary = primaryBut(0);
    return primary == 0 ? 1 + world.pick(replicas.size()) : primary;
  }

  /** The first replica but this one that takes itself for primary, or 0. */
  int primaryBut(int other) {
    for (int number = 1; number <= replicas.size(); number++) {
      if (number != other && replica(number).role() == Role.PRIMARY) {
        return number;
      }
    }
    return 0;
  }

  /** A minority at most is without its memory at a time: that is the promise's condition. */
  private void crash(int victim) {
    if (!replica(victim).isUp() || !mayLose(victim)) {
      return;
    }
    boolean inView = replica(victim).view().epoch() > 0;
    replica(victim).crash(inView && world.chance(0.15));
    world.after(world.chance(0.3) ? world.between(0, 60_000_000) : world.between(0, 2 * SECOND),
        () -> restart(victim));
  }

  /** Whether the group must survive that this replica loses its memory now; takes it as lost if so. */
  private boolean mayLose(int victim) {
    lost.removeIf(number -> replica(number).role() == Role.PRIMARY || replica(number).role() == Role.BACKUP);
    boolean minority = lost.size() + 1 <= (replicas.size() - 1) / 2;
    return lost.contains(victim) || (minority && lost.add(victim));
  }

  private void restart(int victim) {
    if (!replica(victim).isUp()) {
      replica(victim).start();
    }
  }

  private void pause(int victim) {
    replica(victim).pause();
    world.after(world.between(10_000_000, 2 * SECOND), () -> replica(victim).resume());
  }

  private void isolate(int victim, boolean out, boolean both) {
    boolean fromClientsToo = world.chance(0.3);
    for (int other = 1; other <= replicas.size(); other++) {
      link(victim, other, out, both);
    }
    for (int client = 1; fromClientsToo && client <= clients.size(); client++) {
      link(victim, 1_000 + client, out, both);
    }
    world.after(world.between(50_000_000, 2 * SECOND), network::heal);
  }

  /** The others take a live primary for dead, and cannot hear it, while clients still can. */
  private void slander(int victim) {
    for (int other = 1; other <= replicas.size(); other++) {
      link(victim, other, true, true);
      if (other != victim) {
        replica(other).input(new Input.Suspected(new ReplicaId(victim)));
      }
    }
    contradict(victim, world.now() + SECOND / 2);
    world.after(world.between(50_000_000, SECOND), network::heal);
  }

  /** As soon as another is primary, a counter is changed there and read at the old one. */
  private void contradict(int old, long until) {
    int primary = primaryBut(old);
    if (primary == 0) {
      if (world.now() < until) {
        world.after(3_000_000, () -> contradict(old, until));
      }
      return;
    }
    int counter = world.pick(2);
    clients.forEach(client -> client.invokeAt(primary, counter, null));
    world.after(world.between(5_000_000, 30_000_000), () ->
        clients.forEach(client -> client.invokeAt(old, counter, ReadLevel.LINEARIZABLE)));
  }

  /**
   * One replica is cut off long enough to be left out; then the two ends of the view change places: another member comes
   * back from a crash with an empty disk, just when it could help the one left out to a majority of their own.
   */
  private void forget(int leftOut) {
    isolate(leftOut, true, true);
    world.after(world.between(700_000_000, SECOND), () -> {
      int leader = leader();
      int victim = 1 + world.pick(replicas.size());
      boolean others = victim != leader && victim != leftOut && leader != leftOut;
      if (!others || !replica(victim).isUp() || replicas.size() != 3 || replica(victim).role() != Role.BACKUP
          || !mayLose(victim)) {
        return;
      }
      network.heal();
      isolate(leader, true, true);
      replica(victim).crash(true);
      restart(victim);
    });
  }

  /**
   * A voter that is no member dies as soon as it has promised a candidate, and comes back among the others: the old
   * primary asks it for the same epoch.
   */
  private void forswear() {
    int primary = leader();
    int voter = 1 + primary % replicas.size();
    int candidate = 1 + voter % replicas.size();
    boolean all = replica(voter).role() == Role.BACKUP && replica(candidate).role() == Role.BACKUP;
    if (replicas.size() != 3 || !all || !mayLose(voter)) {
      return;
    }
    replica(voter).crash(false);
    world.after(world.between(200_000_000, 600_000_000), () -> {
      network.heal();
      link(primary, candidate, true, true);
      link(primary, voter, true, true);
      restart(voter);
      if (!replica(voter).isUp()) {
        return;
      }
      askTwice(voter, candidate, primary, false);
    });
  }

  /**
   * A backup is cut off until the primary leaves it out; the other loses its disk as soon as it has promised the primary,
   * and its next life is asked for the same epoch by the one left out.
   */
  private void bereave() {
    int primary = leader();
    int voter = 1 + primary % replicas.size();
    int other = 1 + voter % replicas.size();
    if (replicas.size() != 3 || replica(voter).role() != Role.BACKUP || replica(other).role() != Role.BACKUP) {
      return;
    }
    network.heal();
    link(other, primary, true, true);
    link(other, voter, true, true);
    askTwice(voter, primary, other, true);
  }

  /** When the voter has promised, it starts anew on the other side of a partition; then all are together again. */
  private void askTwice(int voter, int candidate, int rival, boolean diskToo) {
    replica(voter).whenPromised(() -> {
      if (!mayLose(voter)) {
        return;
      }
      link(candidate, voter, true, false);
      replica(voter).crash(diskToo);
      world.after(world.between(0, 20_000_000), () -> restart(voter));
      world.after(world.between(2_000_000, 10_000_000), () -> {
        network.heal();
        link(candidate, rival, true, true);
        link(candidate, voter, true, true);
      });
      world.after(world.between(100_000_000, diskToo ? SECOND : 400_000_000), network::heal);
    });
    world.after(2 * SECOND, () -> {
      network.heal();
      restart(voter);
    });
  }

  void link(int victim, int other, boolean out, boolean both) {
    if (out || both) {
      network.cut(victim, other);
    }
    if (!out || both) {
      network.cut(other, victim);
    }
  }

  private void heal() {
    network.heal();
    network.quality(0, 0, 2_000_000);
    for (int number = 1; number <= replicas.size(); number++) {
      replica(number).resume();
      restart(number);
    }
  }

  // ------------------------------------------------------------------------------------------------ surroundings

  ReplicaCore open(int number, MembershipRecord disk, long incarnation) {
    List<ReplicaId> all = new ArrayList<>();
    for (int i = 1; i <= replicas.size(); i++) {
      all.add(new ReplicaId(i));
    }
    Timing timing = Timing.of(Duration.ofMillis(50), Duration.ofMillis(400));
    Limits usual = Limits.DEFAULTS;
    Limits limits = new Limits(200, 1 << 20, 512, 1_000, 256, 512, usual.sessionLeaseNanos(), 500);
    return strategy.open(
        new ReplicaSetup(new ReplicaId(number), all, disk, incarnation, timing, limits, rules));
  }

  World world() {
    return world;
  }

  SimulatedNetwork network() {
    return network;
  }

  SimulatedReplica replica(int number) {
    return replicas.get(number - 1);
  }

  int size() {
    return replicas.size();
  }

  long nextToken() {
    return token++;
  }

  boolean working() {
    return working;
  }

  public History history() {
    return history;
  }
}
