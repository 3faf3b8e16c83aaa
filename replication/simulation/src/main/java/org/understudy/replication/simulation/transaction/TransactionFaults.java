package org.understudy.replication.simulation.transaction;

import org.understudy.replication.core.Role;
import org.understudy.replication.simulation.World;

/** The faults of one history: from its seed while it runs, and the named ones of a scenario. */
final class TransactionFaults {
  private static final long MS = 1_000_000L;
  /** How often a replica dies at a moment that matters. */
  private static final double DEATH = 0.01;
  /** Long enough for another primary. */
  private static final long PAUSE = 2_000 * MS;
  private static final long RESTART = 100 * MS;

  private final TransactionSimulation simulation;
  private final World world;
  private final NamedFaults named = new NamedFaults();
  private boolean faulty;
  private long kills;
  private long groupDeaths;
  private long memoryLosses;
  private long restarts;
  /** The link between groups that is cut, as the number of a group; -1 for none. */
  private int cut = -1;
  /** Its messages do not reach its own group; null for none. */
  private SimulatedNode isolated;

  TransactionFaults(TransactionSimulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
  }

  /** Whether seeds make faults now. */
  boolean isFaulty() {
    return faulty;
  }

  NamedFaults named() {
    return named;
  }

  long kills() {
    return kills;
  }

  long groupDeaths() {
    return groupDeaths;
  }

  long memoryLosses() {
    return memoryLosses;
  }

  long restarts() {
    return restarts;
  }

  /** Whether no other group hears a group. */
  boolean isCut(int group) {
    return cut == group;
  }

  /** Its own group hears nothing from it; null for none. */
  SimulatedNode isolated() {
    return isolated;
  }

  void hear() {
    isolated = null;
  }

  /** Whether a connection to a database is lost now. */
  boolean losesConnection() {
    return faulty && world.chance(DEATH);
  }

  /** For how long an entry waits before the log takes it, longer than a caller of a decision waits; 0 for not at all. */
  long lateness(int group, TwoPhaseStep step) {
    boolean late = faulty && step.isOfOperator() && world.chance(0.1);
    return late ? world.between(0, 2_500 * MS) : named.delayed(group, step);
  }

  void end() {
    faulty = false;
    cut = -1;
    isolated = null;
    named.loseNothing();
  }

  /** Makes faults from now on, until {@link #end}. */
  void begin() {
    faulty = true;
    fault();
  }

  private void fault() {
    if (!faulty) {
      return;
    }
    SimulatedNode node = simulation.group(world.pick(TransactionSimulation.GROUPS)).get(world.pick(TransactionSimulation.REPLICAS));
    int kind = world.pick(simulation.hasDatabases() ? 12 : 10);
    if (simulation.losesMemories() && node.group > 0 && world.chance(0.15)) {
      loseMemory(node.group);
    } else if (simulation.losesCoordinators() && world.chance(0.15)) {
      loseMemory(0);
    } else if (simulation.keepsJournals() && kind == 0) {
      simulation.group(node.group).forEach(this::kill);
      groupDeaths += simulation.group(node.group).stream().noneMatch(SimulatedNode::isAlive) ? 1 : 0;
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
      cut = world.pick(TransactionSimulation.GROUPS);
      world.after(world.between(50 * MS, 600 * MS), () -> cut = -1);
    }
    world.after(world.between(100 * MS, 1_500 * MS), this::fault);
  }

  /** All replicas of a group restart, and none has the state: the group starts empty. */
  void loseMemory(int group) {
    world.trace("all replicas of group %d lose their memory", group);
    memoryLosses++;
    simulation.history().memoryLost(group, world.now());
    simulation.group(group).forEach(this::killNow);
  }

  private void restart(int group, long nanos) {
    world.trace("the database of group %d stops", group);
    restarts++;
    simulation.database(group).restart(true);
    world.after(nanos, () -> simulation.database(group).restart(false));
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
    SimulatedNode primary = simulation.primary(other.group);
    return primary == null ? other : primary;
  }

  /** Before or after a step of a replica: a fault may happen. */
  void moment(SimulatedNode node, TwoPhaseStep step, boolean before) {
    if (faulty && world.chance(DEATH)) {
      kill(node);
    }
    if (faulty && simulation.hasDatabases() && step.isOfDatabase() && world.chance(DEATH)) {
      restart(node.group, world.between(0, 300 * MS));
    }
    if (faulty && simulation.hasDatabases() && node.isAlive() && world.chance(DEATH)) {
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
    } else if (fault != null && fault.happens() == NamedFaults.Kind.OBLIVION) {
      loseMemory(node.group);
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
        simulation.group(node.group).stream()
            .allMatch(other -> other == node || (other.isAlive() && (other.role() == Role.PRIMARY || other.role() == Role.BACKUP)));
    boolean whole = node.role() == Role.PRIMARY || node.role() == Role.BACKUP;
    if (simulation.keepsJournals() || (others && whole)) {
      killNow(node);
    }
  }

  private void killNow(SimulatedNode node) {
    if (node.isAlive()) {
      kills++;
      world.trace("%d.%d dies", node.group, node.number);
      node.kill();
      isolated = isolated == node ? null : isolated;
      world.after(world.between(100 * MS, 900 * MS), () -> simulation.start(node.group, node.number, node.disk()));
    }
  }
}
