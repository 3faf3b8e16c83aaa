package org.understudy.replication.simulation.transaction;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.simulation.SecondSteps;
import org.understudy.replication.simulation.World;

/**
 * One history of transactions over three groups with three replicas each, generated from a seed. The first group coordinates. Replicas die
 * and pause; messages are lost, late and repeated. Run once, by one thread.
 */
public final class TransactionSimulation {
  static final Timing TIMING = Timing.of(Duration.ofMillis(50), Duration.ofMillis(500));
  static final long TICK = 15_000_000L;

  static final int GROUPS = 3;
  private static final int REPLICAS = 3;
  private static final int CLIENTS = 4;
  private static final long MS = 1_000_000L;
  private static final long WARM_UP = 1_500 * MS;
  private static final long LOAD = 10_000 * MS;
  private static final long SETTLE = 8_000 * MS;
  /** How often a replica dies at a moment that matters. */
  private static final double DEATH = 0.01;
  /** Long enough for another primary. */
  private static final long PAUSE = 2_000 * MS;
  private static final long RESTART = 100 * MS;

  private final World world;
  private final Set<Rule> rules;
  private final List<List<SimulatedNode>> groups = new ArrayList<>();
  private final TransactionHistory history = new TransactionHistory();
  private final TransactionNetwork network;
  private final NamedFaults named = new NamedFaults();
  private final double loss;
  private final double duplication;
  private final SecondSteps secondSteps;
  private final List<GroupDatabase> databases = new ArrayList<>();
  private boolean journals;
  private boolean faulty;
  private long nextToken = 1;
  private long kills;
  private long groupDeaths;
  private long restarts;
  private long inherited;
  /** The link between groups that is cut, as the number of a group; -1 for none. */
  private int cut = -1;
  /** Its messages do not reach its own group; null for none. */
  private SimulatedNode isolated;

  /** @param rules the enforced rules */
  public TransactionSimulation(long seed, Set<Rule> rules) {
    this.world = new World(seed);
    this.rules = rules;
    this.loss = world.chance(0.5) ? 0.03 : 0;
    this.network = new TransactionNetwork(this);
    this.duplication = world.chance(0.5) ? 0.1 : 0;
    this.secondSteps = SecondSteps.draw(world);
  }

  /** Keeps journals: then all replicas of a group may die at a time. */
  public TransactionSimulation withJournals() {
    journals = true;
    return this;
  }

  /** Gives each group a database, in which it keeps some of its values. Databases restart, too. */
  public TransactionSimulation withDatabases() {
    for (int group = 0; group < GROUPS; group++) {
      databases.add(new GroupDatabase());
    }
    return this;
  }

  boolean hasDatabases() {
    return !databases.isEmpty();
  }

  SecondSteps secondSteps() {
    return secondSteps;
  }

  /** Null for none. */
  GroupDatabase database(int group) {
    return hasDatabases() ? databases.get(group) : null;
  }

  /** The sessions of a replica end some time after it has died. */
  void disconnect(SimulatedNode node) {
    if (hasDatabases()) {
      world.after(world.between(0, 100 * MS), () -> database(node.group).disconnect(node));
    }
  }

  /** Whether seeds make faults now. */
  boolean isFaulty() {
    return faulty;
  }

  boolean losesConnection() {
    return faulty && world.chance(DEATH);
  }

  boolean keepsJournals() {
    return journals;
  }

  /** Traces every event, one line each. */
  public TransactionSimulation traceTo(PrintStream where) {
    world.traceTo(where);
    return this;
  }

  TransactionNetwork network() {
    return network;
  }

  List<SimulatedNode> group(int group) {
    return groups.get(group);
  }

  /** How often a message is lost. */
  double loss() {
    return loss;
  }

  /** How often a message arrives twice. */
  double duplication() {
    return duplication;
  }

  /** Whether no other group hears a group. */
  boolean isCut(int group) {
    return cut == group;
  }

  World world() {
    return world;
  }

  Set<Rule> rules() {
    return rules;
  }

  NamedFaults named() {
    return named;
  }

  /** Its own group hears nothing from it; null for none. */
  SimulatedNode isolated() {
    return isolated;
  }

  void hear() {
    isolated = null;
  }

  /** The first replica of a group that takes itself for the primary; null for none. */
  SimulatedNode primary(int group) {
    return groups.get(group).stream().filter(node -> node.isAlive() && node.role() == Role.PRIMARY).findFirst().orElse(null);
  }

  /** Whether a group has a primary, and all others are its backups. */
  boolean isWhole(int group) {
    return primary(group) != null
        && groups.get(group).stream().filter(node -> node.isAlive() && node.role() == Role.BACKUP).count() == REPLICAS - 1;
  }

  TransactionHistory history() {
    return history;
  }

  long nextToken() {
    return nextToken++;
  }

  /** The number of replicas that died. */
  public long kills() {
    return kills;
  }

  /** How often all replicas of a group were dead at a time. */
  public long groupDeaths() {
    return groupDeaths;
  }

  /** How often a database stopped. */
  public long restarts() {
    return restarts;
  }

  /** The number of prepared updates that new primaries found in doubt. */
  public long inherited() {
    return inherited;
  }

  void inherited(int updates) {
    inherited += updates;
  }

  /** The number of transactions that clients know to be committed. */
  public long commits() {
    return history.commits();
  }

  /** Runs the history; returns the violations. */
  public List<String> run() {
    begin();
    long end = world.now() + LOAD;
    for (int i = 1; i <= CLIENTS; i++) {
      new TransactionClient(this, i, end).run();
    }
    faulty = true;
    fault();
    world.runUntil(end);
    return finish();
  }

  /** Starts all groups: each has a primary when this returns. */
  void begin() {
    for (int group = 0; group < GROUPS; group++) {
      groups.add(new ArrayList<>());
      for (int number = 1; number <= REPLICAS; number++) {
        groups.get(group).add(null);
        start(group, number, Recovered.NOTHING);
      }
    }
    world.runUntil(world.now() + WARM_UP);
  }

  /** Ends all faults, and returns the violations after some time. */
  List<String> finish() {
    faulty = false;
    cut = -1;
    isolated = null;
    named.loseNothing();
    databases.forEach(database -> database.restart(false));
    world.runUntil(world.now() + SETTLE);
    return history.check(groups);
  }

  private void start(int group, int number, Recovered disk) {
    groups.get(group).set(number - 1, new SimulatedNode(this, group, number, disk));
  }

  // ---- faults

  private void fault() {
    if (!faulty) {
      return;
    }
    SimulatedNode node = groups.get(world.pick(GROUPS)).get(world.pick(REPLICAS));
    int kind = world.pick(hasDatabases() ? 12 : 10);
    if (journals && kind == 0) {
      groups.get(node.group).forEach(this::kill);
      groupDeaths += groups.get(node.group).stream().noneMatch(SimulatedNode::isAlive) ? 1 : 0;
    } else if (kind < 2) {
      kill(primaryOr(node));
    } else if (kind < 4) {
      isolate(primaryOr(node));
    } else if (kind < 5) {
      kill(node);
    } else if (kind < 8) {
      long until = world.now() + world.between(50 * MS, 1_200 * MS);
      world.trace("%d.%d pauses", node.group, node.number);
      primaryOr(node).pause(until);
    } else if (kind >= 10) {
      restart(node.group, world.between(0, 800 * MS));
    } else {
      cut = world.pick(GROUPS);
      world.after(world.between(50 * MS, 600 * MS), () -> cut = -1);
    }
    world.after(world.between(100 * MS, 1_500 * MS), this::fault);
  }

  private void restart(int group, long nanos) {
    world.trace("the database of group %d stops", group);
    restarts++;
    database(group).restart(true);
    world.after(nanos, () -> database(group).restart(false));
  }

  /** Other groups receive what the replica sends, and its own group does not; then it dies. */
  private void isolate(SimulatedNode node) {
    isolated = node;
    world.after(world.between(20 * MS, 150 * MS), () -> {
      isolated = null;
      kill(node);
    });
  }

  private SimulatedNode primaryOr(SimulatedNode other) {
    SimulatedNode primary = primary(other.group);
    return primary == null ? other : primary;
  }

  /** Sends a message of the two phases: the replica may die before or after it, and what a dead replica does is not done. */
  void message(SimulatedNode from, TwoPhaseStep step, int participant, Runnable sending) {
    moment(from, step, true);
    from.arrive(() -> {
      if (!named.isLost(step, participant)) {
        sending.run();
      }
      moment(from, step, false);
    });
  }

  /** Appends an entry of the two phases to the log of a replica's group, which may die before or after it has sent the entry there. */
  void entry(SimulatedNode node, TwoPhaseStep step, Input input) {
    moment(node, step, true);
    node.arrive(() -> {
      node.step(input);
      node.afterSteps(() -> moment(node, step, false));
    });
  }

  /** Before or after a step of a replica: a fault may happen. */
  void moment(SimulatedNode node, TwoPhaseStep step, boolean before) {
    if (faulty && world.chance(DEATH)) {
      kill(node);
    }
    if (faulty && hasDatabases() && step.isOfDatabase() && world.chance(DEATH)) {
      restart(node.group, world.between(0, 300 * MS));
    }
    if (faulty && hasDatabases() && node.isAlive() && world.chance(DEATH)) {
      world.trace("%d.%d pauses at its %s", node.group, node.number, step);
      node.pause(world.now() + world.between(50 * MS, 1_200 * MS));
    }
    NamedFaults.Fault fault = node.isAlive() && node.role() == Role.PRIMARY ? named.at(node.group, before, step) : null;
    if (fault != null && fault.happens() == NamedFaults.Kind.DEATH) {
      kill(node);
      if (node.isAlive()) {
        // The others lack the state: its moment is yet to come.
        named.arm(fault);
      }
    } else if (fault != null && fault.happens() == NamedFaults.Kind.PAUSE) {
      world.trace("%d.%d pauses", node.group, node.number);
      node.pause(world.now() + PAUSE);
    } else if (fault != null && fault.happens() == NamedFaults.Kind.RESTART) {
      restart(node.group, RESTART);
    } else if (fault != null) {
      world.trace("%d.%d is unheard in its group", node.group, node.number);
      isolated = node;
    }
  }

  /** Without journals only while the others of the group have the state: a minority may lose its memory at a time. */
  void kill(SimulatedNode node) {
    boolean others =
        groups.get(node.group).stream()
            .allMatch(other -> other == node || (other.isAlive() && (other.role() == Role.PRIMARY || other.role() == Role.BACKUP)));
    boolean whole = node.role() == Role.PRIMARY || node.role() == Role.BACKUP;
    if (node.isAlive() && (journals || (others && whole))) {
      kills++;
      world.trace("%d.%d dies", node.group, node.number);
      node.kill();
      isolated = isolated == node ? null : isolated;
      world.after(world.between(100 * MS, 900 * MS), () -> start(node.group, node.number, node.disk()));
    }
  }
}
