package org.understudy.replication.simulation.transaction;

import java.io.PrintStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.transaction.RemoteParticipant;
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

  private final World world;
  private final Set<Rule> rules;
  private final List<List<SimulatedNode>> groups = new ArrayList<>();
  private final TransactionHistory history = new TransactionHistory();
  private final NamedFaults named = new NamedFaults();
  private final double loss;
  private final double duplication;
  private boolean journals;
  private boolean faulty;
  private long nextToken = 1;
  private long kills;
  private long groupDeaths;
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
    this.duplication = world.chance(0.5) ? 0.1 : 0;
  }

  /** Keeps journals: then all replicas of a group may die at a time. */
  public TransactionSimulation withJournals() {
    journals = true;
    return this;
  }

  boolean keepsJournals() {
    return journals;
  }

  /** Traces every event, one line each. */
  public TransactionSimulation traceTo(PrintStream where) {
    world.traceTo(where);
    return this;
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
    int kind = world.pick(10);
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
    } else {
      cut = world.pick(GROUPS);
      world.after(world.between(50 * MS, 600 * MS), () -> cut = -1);
    }
    world.after(world.between(100 * MS, 1_500 * MS), this::fault);
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
    if (from.isAlive()) {
      if (!named.isLost(step, participant)) {
        sending.run();
      }
      moment(from, step, false);
    }
  }

  /** Appends an entry of the two phases to the log of a replica's group, which may die before or after it has sent the entry there. */
  void entry(SimulatedNode node, TwoPhaseStep step, Input input) {
    moment(node, step, true);
    node.step(input);
    node.afterSteps(() -> moment(node, step, false));
  }

  private void moment(SimulatedNode node, TwoPhaseStep step, boolean before) {
    if (faulty && world.chance(DEATH)) {
      kill(node);
    }
    NamedFaults.Fault fault = node.isAlive() && node.role() == Role.PRIMARY ? named.at(node.group, before, step) : null;
    if (fault != null && fault.happens() == NamedFaults.Kind.DEATH) {
      kill(node);
      if (node.isAlive()) {
        // The others lack the state: its moment is yet to come.
        named.arm(fault);
      }
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

  // ---- the network

  /** Sends to a replica, which may be another one of the group when the message arrives: it has restarted. */
  void send(SimulatedNode from, int group, int number, Consumer<SimulatedNode> message) {
    deliver(from.group, group, () -> {
      SimulatedNode node = groups.get(group).get(number - 1);
      boolean unheard = from == isolated && from.group == group && node != from;
      if (!unheard) {
        node.arrive(() -> message.accept(node));
      }
    });
  }

  private void deliver(int from, int to, Runnable arrival) {
    boolean between = from != to;
    int copies = faulty && world.chance(duplication) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean lost = faulty && world.chance(loss);
      boolean late = faulty && between && world.chance(0.03);
      long delay = late ? world.between(0, 1_500 * MS) : world.chance(0.05) ? world.between(0, 10 * MS) : world.between(MS / 20, 2 * MS);
      if (!lost) {
        world.after(delay, () -> {
          if (!between || (cut != from && cut != to)) {
            arrival.run();
          }
        });
      }
    }
  }

  /** The coordinator sends a message to all replicas of a participant. */
  void toGroup(SimulatedNode from, TwoPhaseStep step, int group, Consumer<SimulatedNode> message) {
    message(from, step, group, () -> toAll(from, group, message));
  }

  /** A participant sends a message to all replicas of the coordinator's group. */
  void toCoordinators(SimulatedNode from, TwoPhaseStep step, Consumer<SimulatedCoordinator> message) {
    message(from, step, from.group, () -> toAll(from, 0, node -> message.accept(node.container.coordinator())));
  }

  private void toAll(SimulatedNode from, int group, Consumer<SimulatedNode> message) {
    for (int number = 1; number <= REPLICAS; number++) {
      send(from, group, number, message);
    }
  }

  /** Registers a part at all replicas of the coordinator's group: one of them may accept it. */
  void register(SimulatedNode from, SimulatedContainer.OpenPart part, Consumer<Boolean> answer) {
    RemoteParticipant participant = new RemoteParticipant("group" + from.group, part.part, List.of("any"));
    boolean[] answered = new boolean[1];
    int[] refusals = new int[1];
    Consumer<Boolean> once = accepted -> {
      refusals[0] += accepted ? 0 : 1;
      if (!answered[0] && (accepted || refusals[0] == REPLICAS)) {
        answered[0] = true;
        answer.accept(accepted);
      }
    };
    toCoordinators(from, TwoPhaseStep.REGISTRATION, other -> other.register(part.transaction, participant, accepted ->
        message(other.node(), TwoPhaseStep.ACCEPTANCE, from.group, () ->
            deliver(0, from.group, () -> from.arrive(() -> once.accept(accepted))))));
    world.after(200 * MS, () -> from.arrive(() -> {
      refusals[0] = REPLICAS - 1;
      once.accept(false);
    }));
  }

  /** A client's request to a replica of this group that takes itself for the primary; its answer comes once, or null after a time. */
  <T> void ask(int group, long patience, Ask<T> request, Consumer<T> answer) {
    boolean[] answered = new boolean[1];
    Consumer<T> once = result -> {
      if (!answered[0]) {
        answered[0] = true;
        answer.accept(result);
      }
    };
    List<SimulatedNode> primaries =
        groups.get(group).stream().filter(node -> node.isAlive() && node.role() == Role.PRIMARY).toList();
    if (!primaries.isEmpty()) {
      SimulatedNode node = primaries.get(world.pick(primaries.size()));
      deliver(-2, group, () -> node.arrive(() -> request.at(node, result -> {
        if (node.isAlive()) {
          deliver(group, -2, () -> once.accept(result));
        }
      })));
    }
    world.after(patience, () -> once.accept(null));
  }

  /** What a client wants from a replica. */
  @FunctionalInterface
  interface Ask<T> {
    void at(SimulatedNode node, Consumer<T> answer);
  }
}
