package org.understudy.replication.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.GroupView;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.channel.GroupReceiver;

/**
 * The group channel of a simulated group. While nothing is injected it keeps what a channel promises. The faults break each
 * promise that a channel does not make: partitions with a view each, delivery at some members only, messages lost at the end of a
 * membership with another tail at each member, delay, messages that are repeated after a merge, and the end of a replica's session.
 */
final class SimulatedGroup {
  private static final long MILLISECOND = 1_000_000L;
  private static final int REMEMBERED = 40;

  /** The kinds of fault. */
  enum Kind {
    /** Two sides, each with its view and its order. */
    PARTITION,
    MERGE,
    /** What the channel accepts from a member reaches that member only. */
    NOT_UNIFORM,
    /** A member receives all messages later. */
    DELAY,
    /** The session of a member ends, with what it has not received; some time later it has another one. */
    SESSION_ENDS,
    GOOD
  }

  private record Sent(ReplicaId from, Message message) {}

  private final Simulation simulation;
  private final World world;
  private final Map<Integer, Member> members = new TreeMap<>();
  private final List<Sent> remembered = new ArrayList<>();
  private long views;

  SimulatedGroup(Simulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
  }

  /** A channel for the present life of a replica. */
  GroupChannel channel(SimulatedReplica replica) {
    return new Member(replica);
  }

  /** The channel of one life of a replica. */
  private final class Member implements GroupChannel {
    private final SimulatedReplica replica;
    private final long life;
    private GroupReceiver receiver;
    private int side;
    private boolean failed;
    private boolean mute;
    private long delay;
    /** When it receives what has been ordered last. */
    private long last;
    /** Messages that are on their way arrive only in the membership in which they were ordered. */
    private long membership;

    Member(SimulatedReplica replica) {
      this.replica = replica;
      this.life = replica.incarnation();
    }

    private boolean isAlive() {
      return replica.isUp() && replica.incarnation() == life;
    }

    private boolean isPresent() {
      return isAlive() && !failed;
    }

    private ReplicaId id() {
      return new ReplicaId(replica.number());
    }

    @Override
    public String name() {
      return "simulated";
    }

    @Override
    public void join(GroupReceiver taker) {
      receiver = taker;
      members.put(replica.number(), this);
      // The replica is up when its start has returned.
      world.after(0, SimulatedGroup.this::install);
    }

    @Override
    public void multicast(Message message) {
      if (members.get(replica.number()) == this && !failed) {
        replica.after(world.between(20_000, 500_000), () -> order(this, message));
      }
    }

    @Override
    public void close() {
      members.remove(replica.number(), this);
    }

    /** Delivers in order with all that it receives. */
    private void receive(Runnable event) {
      last = Math.max(last, world.now() + world.between(20_000, 1_000_000) + delay);
      long sent = membership;
      world.after(last - world.now(), () -> {
        if (isPresent() && sent == membership) {
          replica.after(0, event);
        }
      });
    }
  }

  private void order(Member from, Message message) {
    if (!from.isPresent()) {
      return;
    }
    remembered.add(new Sent(from.id(), message));
    if (remembered.size() > REMEMBERED) {
      remembered.remove(0);
    }
    for (Member member : members.values()) {
      boolean reached = member == from || (!from.mute && member.side == from.side);
      if (member.isPresent() && reached) {
        member.receive(() -> member.receiver.delivered(from.id(), message));
      }
    }
  }

  /** Each side has a view of its own. */
  private void install() {
    members.values().removeIf(member -> !member.isAlive());
    for (Member member : members.values()) {
      List<ReplicaId> present =
          members.values().stream().filter(other -> other.isPresent() && other.side == member.side).map(Member::id).toList();
      if (member.isPresent()) {
        GroupView view = new GroupView(++views, present);
        member.receive(() -> member.receiver.viewInstalled(view));
      }
    }
  }

  // ------------------------------------------------------------------------------------------------ faults

  /** Injects faults from time to time. */
  void faultsUntil(long end) {
    world.after(world.between(20 * MILLISECOND, 400 * MILLISECOND), () -> {
      if (world.now() < end) {
        inject(Kind.values()[world.pick(Kind.values().length)], 1 + world.pick(simulation.size()));
        faultsUntil(end);
      }
    });
  }

  private void inject(Kind kind, int victim) {
    world.trace("fault of the channel %s at %d", kind, victim);
    switch (kind) {
      case PARTITION -> partition();
      case MERGE -> merge(world.chance(0.5) ? 0.5 : 0);
      case NOT_UNIFORM -> silence(victim);
      case DELAY -> delay(victim, world.between(0, 500 * MILLISECOND));
      case SESSION_ENDS -> {
        fail(victim);
        world.after(world.between(50 * MILLISECOND, 1_000 * MILLISECOND), () -> recover(victim));
      }
      case GOOD -> good();
    }
  }

  private void partition() {
    for (Member member : members.values()) {
      member.side = world.pick(2);
    }
    loseTails();
    install();
  }

  /** One replica is alone on its side. */
  void divide(int number) {
    members.values().forEach(member -> member.side = member.replica.number() == number ? 1 : 0);
    install();
  }

  /** What this member multicasts reaches it alone. */
  void silence(int number) {
    if (members.containsKey(number)) {
      members.get(number).mute = true;
    }
  }

  void delay(int number, long nanos) {
    if (members.containsKey(number)) {
      members.get(number).delay = nanos;
    }
  }

  /** Of what is on its way, some members receive nothing more. */
  private void loseTails() {
    for (Member member : members.values()) {
      if (world.chance(0.5)) {
        member.membership++;
      }
    }
  }

  /**
   * All are on one side again.
   *
   * @param repeated the share of the last messages that a member receives again
   */
  void merge(double repeated) {
    members.values().forEach(member -> member.side = 0);
    loseTails();
    install();
    for (Sent sent : List.copyOf(remembered)) {
      for (Member member : members.values()) {
        if (member.isPresent() && world.chance(repeated)) {
          member.receive(() -> member.receiver.delivered(sent.from(), sent.message()));
        }
      }
    }
  }

  private void good() {
    for (Member member : members.values()) {
      member.mute = false;
      member.delay = 0;
    }
  }

  /** The session of a member ends. */
  void fail(int number) {
    Member member = members.get(number);
    if (member != null && member.isPresent()) {
      member.failed = true;
      // As a replica learns it that opens its channel again.
      GroupView nobody = new GroupView(++views, List.of());
      member.replica.after(0, () -> member.receiver.viewInstalled(nobody));
      install();
    }
  }

  /** The member has another session. */
  void recover(int number) {
    Member member = members.get(number);
    if (member != null && member.failed && member.isAlive()) {
      member.failed = false;
      member.membership++;
      install();
    }
  }

  /** Ends all faults. */
  void heal() {
    good();
    List.copyOf(members.keySet()).forEach(this::recover);
    merge(world.chance(0.5) ? 0.5 : 0);
  }
}
