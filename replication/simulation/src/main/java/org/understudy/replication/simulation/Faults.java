package org.understudy.replication.simulation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.Role;

/** Injects faults into a history, drawn from its seed; at most a minority has lost its state at a time. */
public final class Faults {
  private static final long MILLISECOND = 1_000_000L;
  private static final long SECOND = 1_000 * MILLISECOND;
  /** The longest additional delay: a message sent later does not arrive before. */
  static final long LATEST = 3 * SECOND;

  /** The kinds of fault. */
  public enum Kind {
    CRASH,
    CRASH_AGAIN,
    PAUSE,
    PARTITION,
    ONE_WAY_PARTITION,
    LOSSY_LINKS,
    GOOD_LINKS,
    FALSE_SUSPICION,
    LEFT_OUT_AND_EMPTY_DISK,
    CRASH_AFTER_PROMISE,
    LOSE_DISK_AFTER_PROMISE,
    ERROR_IN_STEP,
    /** An update has left, and the replica has not applied it. */
    CRASH_BEFORE_SECOND_STEP,
    /** A virtual machine is suspended, its monotonic clock too. */
    SUSPENSION,
    WALL_CLOCK_STOP,
    HEAL,
    /** Syncs do not return for a while, at one replica or at all of them. Only with journals. */
    DISK_HANG
  }

  /** The kinds that every history has. */
  private static final int COMMON = Kind.DISK_HANG.ordinal();

  private final Simulation simulation;
  private final World world;
  private final SimulatedNetwork network;
  /** The replicas that lost their state and are not members of a view again. */
  private final Set<Integer> lost = new TreeSet<>();
  private boolean healed;
  private final Map<Kind, Integer> counts = new TreeMap<>();

  Faults(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.network = simulation.network();
  }

  /** The number of faults of each kind. */
  Map<Kind, Integer> counts() {
    return counts;
  }

  /** Injects faults from time to time. */
  void startUntil(long end) {
    world.after(SECOND / 2, () -> next(end));
  }

  /**
   * From time to time delays what arrives at one replica, mostly the primary. Then its links are often cut, so that it receives late
   * acknowledgements while the others form a view.
   */
  void delayUntil(long end) {
    world.after(world.between(SECOND / 2, SECOND), () -> {
      if (world.now() < end) {
        int victim = world.chance(0.7) ? leader() : 1 + world.pick(simulation.size());
        long delay = world.chance(0.5) ? world.between(0, SECOND / 2) : world.between(0, LATEST);
        world.trace("fault: messages to %d take %d ms", victim, delay / MILLISECOND);
        delayTo(victim, delay);
        if (world.chance(0.7)) {
          later(world.between(0, SECOND / 2), () -> isolate(victim, world.chance(0.5), world.chance(0.5)));
        }
        delayUntil(end);
      }
    });
  }

  /** Delays what arrives at a replica from now on, until the links are healed. */
  void delayTo(int victim, long nanos) {
    for (int other = 1; other <= simulation.size(); other++) {
      network.slow(other, victim, nanos);
    }
  }

  private void next(long end) {
    if (world.now() >= end) {
      return;
    }
    int victim = world.chance(0.5) ? leader() : 1 + world.pick(simulation.size());
    if (simulation.keepsJournals() && world.chance(0.15)) {
      simulation.whenReplied(this::crashAll);
      world.after(world.between(20 * MILLISECOND, 2 * SECOND), () -> next(end));
      return;
    }
    Kind kind = simulation.keepsJournals() && world.chance(0.1) ? Kind.DISK_HANG : Kind.values()[world.pick(COMMON)];
    counts.merge(kind, 1, Integer::sum);
    world.trace("fault %s at %d", kind, victim);
    switch (kind) {
      case CRASH, CRASH_AGAIN -> crash(victim);
      case PAUSE -> pause(victim);
      case PARTITION -> isolate(victim, true, true);
      case ONE_WAY_PARTITION -> isolate(victim, world.chance(0.5), false);
      case LOSSY_LINKS -> network.quality(0.05, 0.05, 10 * MILLISECOND);
      case GOOD_LINKS -> network.quality(0, 0, 2 * MILLISECOND);
      case FALSE_SUSPICION -> falseSuspicion(victim);
      case LEFT_OUT_AND_EMPTY_DISK -> leftOutAndEmptyDisk(victim);
      case CRASH_AFTER_PROMISE -> crashAfterPromise();
      case LOSE_DISK_AFTER_PROMISE -> loseDiskAfterPromise();
      case ERROR_IN_STEP -> errorInStep(victim);
      case CRASH_BEFORE_SECOND_STEP -> replica(victim).beforeSecondStep(() -> crash(victim));
      case SUSPENSION -> suspend(victim);
      case WALL_CLOCK_STOP -> stopWallClock(victim);
      case HEAL -> network.heal();
      case DISK_HANG -> hangDisks(victim);
    }
    world.after(world.between(20 * MILLISECOND, SECOND), () -> next(end));
  }

  /** Ends all faults, also what is left of those that have several parts. */
  void heal() {
    healed = true;
    network.heal();
    network.quality(0, 0, 2 * MILLISECOND);
    if (simulation.group() != null) {
      simulation.group().heal();
    }
    if (simulation.database() != null) {
      simulation.database().heal();
    }
    for (int number = 1; number <= simulation.size(); number++) {
      replica(number).throwAfter(-1);
      replica(number).suppress(message -> false);
      replica(number).beforeSecondStep(null);
      replica(number).whenPromised(null);
      replica(number).tickEvery(0);
      replica(number).diskAnswers();
      replica(number).resume();
      restart(number);
    }
  }

  /** Causes a later part of a fault, unless all faults have ended by then. */
  private void later(long nanos, Runnable what) {
    world.after(nanos, () -> {
      if (!healed) {
        what.run();
      }
    });
  }

  /** Cuts the links between two ends, in one direction or both. */
  void cut(int victim, int other, boolean out, boolean both) {
    if (out || both) {
      network.cut(victim, other);
    }
    if (!out || both) {
      network.cut(other, victim);
    }
  }

  private SimulatedReplica replica(int number) {
    return simulation.replica(number);
  }

  private int leader() {
    int primary = simulation.primaryBut(0);
    return primary == 0 ? 1 + world.pick(simulation.size()) : primary;
  }

  /** At most a minority may have lost its state at a time: the guarantee assumes it. */
  private void crash(int victim) {
    if (!replica(victim).isUp() || !mayLose(victim)) {
      return;
    }
    boolean inView = replica(victim).view().epoch() > 0;
    replica(victim).crash(inView && world.chance(0.15));
    world.after(world.chance(0.3) ? world.between(0, 60 * MILLISECOND) : world.between(0, 2 * SECOND),
        () -> restart(victim));
  }

  /** All replicas crash at once, as when the power fails: their disks keep what was stored. */
  private void crashAll() {
    world.trace("fault: all crash");
    for (int number = 1; number <= simulation.size(); number++) {
      int victim = number;
      if (replica(victim).isUp()) {
        replica(victim).crash(false);
        world.after(world.between(0, world.chance(0.5) ? SECOND / 5 : 2 * SECOND), () -> restart(victim));
      }
    }
  }

  /** Whether the group must survive that this replica loses its state now; if so, records it as lost. */
  private boolean mayLose(int victim) {
    lost.removeIf(number -> !replica(number).mayThrow()
        && (replica(number).role() == Role.PRIMARY || replica(number).role() == Role.BACKUP));
    boolean minority = lost.size() + 1 <= (simulation.size() - 1) / 2;
    return lost.contains(victim) || (minority && lost.add(victim));
  }

  private void restart(int victim) {
    if (!replica(victim).isUp()) {
      replica(victim).start();
    }
  }

  private void pause(int victim) {
    replica(victim).pause();
    world.after(world.between(10 * MILLISECOND, 2 * SECOND), () -> replica(victim).resume());
  }

  private void suspend(int victim) {
    if (replica(victim).isUp()) {
      replica(victim).suspend();
      world.after(world.between(10 * MILLISECOND, 2 * SECOND), () -> replica(victim).resume());
    }
  }

  private void hangDisks(int victim) {
    if (world.chance(0.2)) {
      long together = world.between(50 * MILLISECOND, 3 * SECOND);
      simulation.replicas().forEach(replica -> hangDisk(replica, together));
    } else {
      hangDisk(replica(victim), world.between(50 * MILLISECOND, 3 * SECOND));
    }
  }

  private void hangDisk(SimulatedReplica victim, long nanos) {
    victim.hangDisk();
    world.after(nanos, victim::diskAnswers);
  }

  private void stopWallClock(int victim) {
    if (replica(victim).isUp()) {
      SimulatedClock clock = replica(victim).clock();
      clock.stopWall();
      world.after(world.between(10 * MILLISECOND, SECOND), clock::go);
    }
  }

  /** An error in the middle of a step, which halts the replica; some time later it is restarted. */
  private void errorInStep(int victim) {
    if (!replica(victim).isUp() || !mayLose(victim)) {
      return;
    }
    replica(victim).throwAfter(world.pick(40));
    world.after(world.between(200 * MILLISECOND, 2 * SECOND), () -> {
      replica(victim).throwAfter(-1);
      restart(victim);
    });
  }

  private void isolate(int victim, boolean out, boolean both) {
    boolean fromClientsToo = world.chance(0.3);
    for (int other = 1; other <= simulation.size(); other++) {
      cut(victim, other, out, both);
    }
    for (int client = 1; fromClientsToo && client <= simulation.clientCount(); client++) {
      cut(victim, 1_000 + client, out, both);
    }
    world.after(world.between(50 * MILLISECOND, 2 * SECOND), network::heal);
  }

  /** False suspicion: the others suspect a live primary and do not receive from it, while clients still reach it. */
  private void falseSuspicion(int victim) {
    for (int other = 1; other <= simulation.size(); other++) {
      cut(victim, other, true, true);
      if (other != victim) {
        replica(other).suspect(victim);
      }
    }
    contradict(victim, world.now() + SECOND / 2);
    world.after(world.between(50 * MILLISECOND, SECOND), network::heal);
  }

  /** As soon as another replica is primary, a resource is changed there and read at the old one. */
  private void contradict(int old, long until) {
    int primary = simulation.primaryBut(old);
    if (primary == 0) {
      if (world.now() < until) {
        world.after(3 * MILLISECOND, () -> contradict(old, until));
      }
      return;
    }
    int resource = world.pick(2);
    simulation.invokeAt(primary, resource, null);
    world.after(world.between(5 * MILLISECOND, 30 * MILLISECOND), () ->
        simulation.invokeAt(old, resource, ReadLevel.LINEARIZABLE));
  }

  /**
   * One replica is isolated long enough to be excluded. Then a backup crashes and returns with an empty disk while the
   * primary is isolated, when its vote could give the excluded replica a majority.
   */
  private void leftOutAndEmptyDisk(int leftOut) {
    isolate(leftOut, true, true);
    later(world.between(700 * MILLISECOND, SECOND), () -> {
      int leader = leader();
      int victim = 1 + world.pick(simulation.size());
      boolean others = victim != leader && victim != leftOut && leader != leftOut;
      if (!others || !replica(victim).isUp() || simulation.size() != 3 || replica(victim).role() != Role.BACKUP
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
   * A voter outside the view crashes as soon as it has promised a candidate, and restarts among the others: the old primary
   * asks it for the same epoch.
   */
  private void crashAfterPromise() {
    int primary = leader();
    int voter = 1 + primary % simulation.size();
    int candidate = 1 + voter % simulation.size();
    boolean all = replica(voter).role() == Role.BACKUP && replica(candidate).role() == Role.BACKUP;
    if (simulation.size() != 3 || !all || !mayLose(voter)) {
      return;
    }
    replica(voter).crash(false);
    later(world.between(200 * MILLISECOND, 600 * MILLISECOND), () -> {
      network.heal();
      cut(primary, candidate, true, true);
      cut(primary, voter, true, true);
      restart(voter);
      askTwice(voter, candidate, primary, false);
    });
  }

  /**
   * A backup is isolated until the primary excludes it; the other loses its disk as soon as it has promised the primary,
   * and its next incarnation is asked for the same epoch by the excluded one.
   */
  private void loseDiskAfterPromise() {
    int primary = leader();
    int voter = 1 + primary % simulation.size();
    int other = 1 + voter % simulation.size();
    if (simulation.size() != 3 || replica(voter).role() != Role.BACKUP || replica(other).role() != Role.BACKUP) {
      return;
    }
    network.heal();
    cut(other, primary, true, true);
    cut(other, voter, true, true);
    askTwice(voter, primary, other, true);
  }

  /** When the voter has promised, it restarts on the other side of a partition; then the partition heals. */
  private void askTwice(int voter, int candidate, int rival, boolean diskToo) {
    replica(voter).whenPromised(() -> {
      if (!mayLose(voter)) {
        return;
      }
      cut(candidate, voter, true, false);
      replica(voter).crash(diskToo);
      world.after(world.between(0, 20 * MILLISECOND), () -> restart(voter));
      later(world.between(2 * MILLISECOND, 10 * MILLISECOND), () -> {
        network.heal();
        cut(candidate, rival, true, true);
        cut(candidate, voter, true, true);
      });
      world.after(world.between(100 * MILLISECOND, diskToo ? SECOND : 400 * MILLISECOND), network::heal);
    });
    world.after(2 * SECOND, () -> {
      network.heal();
      restart(voter);
    });
  }
}
