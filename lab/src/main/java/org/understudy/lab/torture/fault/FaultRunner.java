package org.understudy.lab.torture.fault;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.history.Cut;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.network.DelayedLinks;
import org.understudy.lab.torture.network.TestNetwork;
import org.understudy.lab.torture.replica.DatabaseProcess;
import org.understudy.lab.torture.replica.ReplicaProcess;
import org.understudy.lab.torture.replica.Replicas;

/** Does to a group what a plan says. Used by one thread. */
public final class FaultRunner {
  private final TestNetwork network;
  private final DelayedLinks delays;
  private final Replicas replicas;
  private final DatabaseProcess database;
  private final History history;

  /**
   * @param delays null if the plan delays nothing
   * @param database null if the group has none
   */
  public FaultRunner(TestNetwork network, DelayedLinks delays, Replicas replicas, DatabaseProcess database, History history) {
    this.network = network;
    this.delays = delays;
    this.replicas = replicas;
    this.database = database;
    this.history = history;
  }

  /**
   * What a fault did.
   *
   * @param what it was, for people, with the replicas that it concerned
   * @param from when it was complete, in ns of the history
   * @param to when its end began
   * @param live whether some majority of running replicas could reach each other during it
   * @param whole when all replicas were in one view again, or 0 if that is not known
   * @param bytes what the others sent to the first replica that it concerned until then, if links have shims; else 0
   */
  public record Effect(String what, long from, long to, boolean live, long whole, long bytes) {
    Effect(String what, long from, long to, boolean live) {
      this(what, from, to, live, 0, 0);
    }

    /** The same, with the time at which the group was whole, and the bytes until then. */
    public Effect wholeAt(long time, long sent) {
      return new Effect(what, from, to, live, time, sent);
    }
  }

  /**
   * Causes a fault, lets it last, and undoes it. Blocks for all that time, and until a new process has been started.
   *
   * @param primary the primary at this time
   */
  public Effect run(int number, Fault fault, int primary) throws IOException, InterruptedException {
    List<Integer> order = fault.order(primary);
    int first = order.get(0);
    return switch (fault.kind()) {
      case SPLIT, SCATTER, MUTE, DEAF, ONE_WAY, BRIDGE -> cut(number, fault, primary, Links.of(fault.kind(), order, fault.size()));
      case FLAP -> flap(number, fault, primary, Links.of(fault.kind(), order, fault.size()));
      case PAUSE -> pause(fault, primary, first);
      case KILL -> kill(fault, primary, first);
      case KILL_CUT_OFF, ZOMBIE -> cutOff(number, fault, primary, first);
      case FREEZE -> freeze(fault, primary, order);
      case ROTATE -> rotate(number, fault, primary, order);
      case STORM, KILL_IN_STORM -> storm(number, fault, primary, first);
      case SLOW -> slow(fault, primary, first);
      case LOSS -> lose(fault, primary, order);
      case DELAY -> delay(fault, primary, order);
      case KILL_ALL -> killAll(fault, primary, order);
      case POWER_LOSS -> losePower(fault, primary, order.subList(0, fault.parameter()));
      case KILL_DATABASE, KILL_BOTH, KILL_UNDER_ZOMBIE -> killDatabase(fault, primary, first);
      case PAUSE_DATABASE -> pauseDatabase(fault, primary);
      case CUT_DATABASE -> cutDatabase(fault, primary, first);
    };
  }

  private Effect cut(int number, Fault fault, int primary, Links links) throws IOException, InterruptedException {
    apply(links);
    long from = history.now();
    sleep(fault.length());
    long to = restore(number, links, from);
    return new Effect(fault.describe(primary), from, to, links.majorityMeets());
  }

  private void apply(Links links) throws IOException, InterruptedException {
    for (Links.Link link : links.cut()) {
      network.cut(link.from(), link.to());
    }
  }

  private long restore(int number, Links links, long from) throws IOException, InterruptedException {
    long to = history.now();
    Set<Integer> minority = links.minority();
    if (!minority.isEmpty()) {
      history.add(new Cut(number, minority, from, to));
    }
    network.heal();
    return to;
  }

  private Effect flap(int number, Fault fault, int primary, Links links) throws IOException, InterruptedException {
    Duration phase = Duration.ofMillis(fault.parameter());
    long began = history.now();
    long end = began + fault.length().toNanos();
    while (history.now() < end) {
      apply(links);
      long from = history.now();
      sleep(phase);
      restore(number, links, from);
      sleep(phase);
    }
    return new Effect(fault.describe(primary), began, history.now(), false);
  }

  private Effect pause(Fault fault, int primary, int victim) throws IOException, InterruptedException {
    replicas.replica(victim).pause();
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    replicas.replica(victim).resume();
    return new Effect(fault.describe(primary), from, to, true);
  }

  private Effect kill(Fault fault, int primary, int victim) throws IOException, InterruptedException {
    replicas.replica(victim).kill();
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    replicas.replica(victim).start();
    return new Effect(fault.describe(primary), from, to, true);
  }

  /** Cuts a replica off and, half-way, restarts or resumes it. */
  private Effect cutOff(int number, Fault fault, int primary, int victim) throws IOException, InterruptedException {
    ReplicaProcess process = replicas.replica(victim);
    if (fault.kind() == FaultKind.ZOMBIE) {
      process.pause();
    }
    Links links = Links.allOf(victim, replicas.count());
    apply(links);
    long from = history.now();
    sleep(fault.length().dividedBy(2));
    if (fault.kind() == FaultKind.ZOMBIE) {
      process.resume();
    } else {
      process.kill();
      process.start();
    }
    sleep(fault.length().dividedBy(2));
    long to = restore(number, links, from);
    return new Effect(fault.describe(primary), from, to, true);
  }

  private Effect freeze(Fault fault, int primary, List<Integer> order) throws IOException, InterruptedException {
    for (int victim : order) {
      replicas.replica(victim).pause();
    }
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    for (int victim : order) {
      replicas.replica(victim).resume();
    }
    return new Effect(fault.describe(primary), from, to, false);
  }

  private Effect rotate(int number, Fault fault, int primary, List<Integer> order) throws IOException, InterruptedException {
    long began = history.now();
    long end = began + fault.length().toNanos();
    for (int turn = 0; history.now() < end; turn++) {
      Links links = Links.allOf(order.get(turn % order.size()), order.size());
      apply(links);
      long from = history.now();
      sleep(Duration.ofMillis(fault.parameter()));
      restore(number, links, from);
    }
    return new Effect(fault.describe(primary), began, history.now(), false);
  }

  private Effect storm(int number, Fault fault, int primary, int first) throws IOException, InterruptedException {
    Storm storm = new Storm(fault, replicas.count());
    boolean kill = fault.kind() == FaultKind.KILL_IN_STORM;
    long began = history.now();
    long end = began + fault.length().toNanos();
    if (kill) {
      replicas.replica(first).kill();
    }
    for (int turn = 0; history.now() < end; turn++) {
      Links links = storm.links();
      Set<Integer> stopped = storm.stopped(kill && turn == 0 ? first : 0);
      apply(links);
      for (int n : stopped) {
        replicas.replica(n).pause();
      }
      long from = history.now();
      sleep(Duration.ofMillis(fault.parameter()));
      restore(number, links, from);
      for (int n : stopped) {
        replicas.replica(n).resume();
      }
      if (kill && turn == 0) {
        replicas.replica(first).start();
      }
    }
    return new Effect(fault.describe(primary), began, history.now(), false);
  }

  private Effect slow(Fault fault, int primary, int victim) throws IOException, InterruptedException {
    network.slow(victim, fault.parameter());
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    network.speed(victim);
    return new Effect(fault.describe(primary), from, to, false);
  }

  private Effect lose(Fault fault, int primary, List<Integer> order) throws IOException, InterruptedException {
    if (!network.canLose()) {
      return new Effect(fault.describe(primary) + ": left out, needs nft or iptables", history.now(), history.now(), false);
    }
    for (int other : order.subList(1, order.size())) {
      network.lose(order.get(0), other, fault.parameter());
      network.lose(other, order.get(0), fault.parameter());
    }
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    network.heal();
    return new Effect(fault.describe(primary), from, to, false);
  }

  /** The fault fixes the delay of each link and direction. */
  private Effect delay(Fault fault, int primary, List<Integer> order) throws IOException, InterruptedException {
    Random random = new Random(fault.order().hashCode() * 31L + fault.length().toMillis());
    int first = order.get(0);
    for (int other : order.subList(1, order.size())) {
      delays.delay(first, other, drawn(fault, random), drawn(fault, random), fault.parameter());
    }
    delays.delayClients(first, drawn(fault, random), drawn(fault, random), fault.parameter());
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    delays.clear();
    return new Effect(fault.describe(primary), from, to, false);
  }

  private static int drawn(Fault fault, Random random) {
    return random.nextInt(2 * fault.parameter() + 1);
  }

  private Effect killAll(Fault fault, int primary, List<Integer> order) throws IOException, InterruptedException {
    for (int victim : order) {
      replicas.replica(victim).kill();
    }
    if (database != null) {
      database.kill();
    }
    long from = history.now();
    sleep(fault.length().dividedBy(4));
    long to = history.now();
    if (database != null) {
      database.start();
    }
    for (int victim : order) {
      replicas.replica(victim).start();
    }
    return new Effect(fault.describe(primary), from, to, false);
  }

  /** The fault fixes what each journal ends with. */
  private Effect losePower(Fault fault, int primary, List<Integer> victims) throws IOException, InterruptedException {
    Random random = new Random(fault.order().hashCode() * 31L + fault.length().toMillis());
    for (int victim : victims) {
      replicas.replica(victim).kill();
    }
    long from = history.now();
    sleep(fault.length().dividedBy(4));
    List<String> tails = new ArrayList<>();
    for (int victim : victims) {
      tails.add(victim + " " + replicas.replica(victim).leaveTail(random));
    }
    long to = history.now();
    for (int victim : victims) {
      replicas.replica(victim).start();
    }
    return new Effect(fault.describe(primary) + ", left in the journals: " + String.join(", ", tails), from, to, victims.size() == 1);
  }

  /** A killed replica starts again half-way: it may find no database. */
  private Effect killDatabase(Fault fault, int primary, int first) throws IOException, InterruptedException {
    ReplicaProcess process = replicas.replica(first);
    boolean zombie = fault.kind() == FaultKind.KILL_UNDER_ZOMBIE;
    if (zombie) {
      process.pause();
    } else if (fault.kind() == FaultKind.KILL_BOTH) {
      process.kill();
    }
    database.kill();
    long from = history.now();
    sleep(fault.length().dividedBy(2));
    if (zombie) {
      database.start();
    } else if (fault.kind() == FaultKind.KILL_BOTH) {
      process.start();
    }
    sleep(fault.length().dividedBy(2));
    long to = history.now();
    if (zombie) {
      process.resume();
    } else {
      database.start();
    }
    return new Effect(fault.describe(primary), from, to, false);
  }

  private Effect pauseDatabase(Fault fault, int primary) throws IOException, InterruptedException {
    database.pause();
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    database.resume();
    return new Effect(fault.describe(primary), from, to, false);
  }

  private Effect cutDatabase(Fault fault, int primary, int victim) throws IOException, InterruptedException {
    network.cut(victim, TestNetwork.DATABASE);
    network.cut(TestNetwork.DATABASE, victim);
    long from = history.now();
    sleep(fault.length());
    long to = history.now();
    network.heal();
    return new Effect(fault.describe(primary), from, to, false);
  }

  private static void sleep(Duration time) throws InterruptedException {
    TimeUnit.NANOSECONDS.sleep(time.toNanos());
  }
}
