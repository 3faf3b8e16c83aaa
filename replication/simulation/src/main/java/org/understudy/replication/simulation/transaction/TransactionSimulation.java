package org.understudy.replication.simulation.transaction;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
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
  static final int REPLICAS = 3;
  private static final int CLIENTS = 4;
  private static final long MS = 1_000_000L;
  private static final long WARM_UP = 1_500 * MS;
  private static final long LOAD = 10_000 * MS;
  private static final long SETTLE = 8_000 * MS;
  private static final long REPAIR = 1_000 * MS;

  private final World world;
  private final Set<Rule> rules;
  private final List<List<SimulatedNode>> groups = new ArrayList<>();
  private final TransactionHistory history = new TransactionHistory();
  private final TransactionNetwork network;
  private final TransactionFaults faults;
  private final Operator operator;
  private final double loss;
  private final double duplication;
  private final SecondSteps secondSteps;
  private final List<GroupDatabase> databases = new ArrayList<>();
  private boolean journals;
  private boolean losesMemories;
  private boolean losesCoordinators;
  private boolean foreignCoordinators;
  private boolean hastyOperators;
  private boolean upgrading;
  /** The replicas of the coordinators' group that have begun anew. */
  private final Set<Integer> upgraded = new TreeSet<>();
  private long nextToken = 1;
  private long inherited;

  /** @param rules the enforced rules */
  public TransactionSimulation(long seed, Set<Rule> rules) {
    this.world = new World(seed);
    this.rules = rules;
    this.loss = world.chance(0.5) ? 0.03 : 0;
    this.network = new TransactionNetwork(this);
    this.duplication = world.chance(0.5) ? 0.1 : 0;
    this.secondSteps = SecondSteps.draw(world);
    this.faults = new TransactionFaults(this);
    this.operator = new Operator(this);
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

  /** Lets all replicas of a participant restart without their memory, which leaves it what its database has. Not with journals. */
  public TransactionSimulation losingMemories() {
    losesMemories = true;
    return this;
  }

  /** Lets all replicas of the coordinators' group restart without their memory. Not with journals, nor with hasty operators. */
  public TransactionSimulation losingCoordinators() {
    losesCoordinators = true;
    return this;
  }

  /**
   * The coordinators are no groups as far as a group that has lost its memory is concerned: they answer no question of it, and their
   * decisions do not name its branches. Operators end those.
   */
  public TransactionSimulation withForeignCoordinators() {
    foreignCoordinators = true;
    return this;
  }

  boolean hasForeignCoordinators() {
    return foreignCoordinators;
  }

  /** Lets operators decide what is in doubt, also otherwise than its coordinator. */
  public TransactionSimulation withHastyOperators() {
    hastyOperators = true;
    return this;
  }

  /** The replicas of the coordinators' group run a build that knows no lives, each until it has died for the first time. */
  public TransactionSimulation upgrading() {
    upgrading = true;
    return this;
  }

  boolean isUpgrading() {
    return upgrading;
  }

  /** Whether a replica runs a build that knows no lives. */
  boolean isOlder(SimulatedNode node) {
    return upgrading && node.group == 0 && !upgraded.contains(node.number);
  }

  Operator operator() {
    return operator;
  }

  boolean losesMemories() {
    return losesMemories;
  }

  boolean losesCoordinators() {
    return losesCoordinators;
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
    return faults.isFaulty();
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

  TransactionFaults faults() {
    return faults;
  }

  World world() {
    return world;
  }

  Set<Rule> rules() {
    return rules;
  }

  NamedFaults named() {
    return faults.named();
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
    return faults.kills();
  }

  /** How often all replicas of a group were dead at a time. */
  public long groupDeaths() {
    return faults.groupDeaths();
  }

  /** How often all replicas of a group lost their memory. */
  public long memoryLosses() {
    return faults.memoryLosses();
  }

  /** How many parts operators have decided. */
  public long operatorDecisions() {
    return history.operatorDecisions();
  }

  /** How many of them otherwise than their coordinators, as their groups show. */
  public long contradictions() {
    return history.contradictions();
  }

  /** How often a database stopped. */
  public long restarts() {
    return faults.restarts();
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

  /** How many of them were begun by a build that knows no lives. */
  public long commitsWithoutLife() {
    return history.commitsWithoutLife();
  }

  /** Runs the history; returns the violations. */
  public List<String> run() {
    begin();
    long end = world.now() + LOAD;
    for (int i = 1; i <= CLIENTS; i++) {
      new TransactionClient(this, i, end).run();
    }
    faults.begin();
    if (hastyOperators) {
      operator.runHastily();
    }
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
    faults.end();
    databases.forEach(database -> database.restart(false));
    world.runUntil(world.now() + SETTLE);
    if (operator.hasWork()) {
      operator.decideUntil(world.now() + REPAIR);
      world.runUntil(world.now() + 2 * REPAIR);
      history.collectReports(groups);
      operator.forgetUntil(world.now() + REPAIR);
      world.runUntil(world.now() + 2 * REPAIR);
    }
    return history.check(groups);
  }

  void start(int group, int number, Recovered disk) {
    if (group == 0 && groups.get(0).get(number - 1) != null) {
      upgraded.add(number);
    }
    groups.get(group).set(number - 1, new SimulatedNode(this, group, number, disk));
  }

  /** Sends a message of the two phases: the replica may die before or after it, and what a dead replica does is not done. */
  void message(SimulatedNode from, TwoPhaseStep step, int participant, Runnable sending) {
    faults.moment(from, step, true);
    from.arrive(() -> {
      long late = faults.named().delayed(participant, step);
      if (late > 0) {
        world.after(late, sending);
      } else if (!faults.named().isLost(step, participant)) {
        sending.run();
      }
      faults.moment(from, step, false);
    });
  }

  /**
   * Appends an entry of the two phases to the log of a replica's group, which may die before or after it has sent the entry there. What
   * operators decide may have to wait for the log.
   */
  void entry(SimulatedNode node, TwoPhaseStep step, Input input) {
    entry(node, step, input, () -> {});
  }

  /**
   * As the other.
   *
   * @param appended called when the replica's own log has the entry
   */
  void entry(SimulatedNode node, TwoPhaseStep step, Input input, Runnable appended) {
    faults.moment(node, step, true);
    Runnable append = () -> {
      node.step(input);
      appended.run();
      node.afterSteps(() -> faults.moment(node, step, false));
    };
    long late = faults.lateness(node.group, step);
    if (late == 0) {
      node.arrive(append);
    } else {
      world.trace("%d.%d waits %d ms before its %s", node.group, node.number, late / MS, step);
      world.after(late, () -> node.arrive(append));
    }
  }
}
