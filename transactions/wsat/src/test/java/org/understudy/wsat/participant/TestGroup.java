package org.understudy.wsat.participant;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.container.transaction.ContradictedDecisionException;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.container.transaction.Vote;

/**
 * A group of three replicas and a coordinator as Narayana's, in one thread. What the group's log holds is in fields; a replica that dies
 * loses the rest, and loses its place as primary to the one with the highest number.
 */
final class TestGroup {
  static final String TRANSACTION = "urn:transaction";
  private static final int MAX_ROUNDS = 5;

  /** The death of a replica: what it was doing goes no further. */
  static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1;
  }

  /** What the coordinator knows of a participant. */
  private enum State {
    ACTIVE,
    PREPARING,
    PREPARED,
    COMMITTING,
    ABORTING
  }

  final Map<Integer, GroupParticipants> alive = new TreeMap<>();
  private final Map<Integer, GroupPart> parts = new HashMap<>();
  private final Map<String, State> coordinator = new HashMap<>();
  private Registration registration;
  private int primary = 1;
  private boolean open;
  private boolean prepared;
  /** How the group's log has ended the transaction; null before. */
  Boolean outcome;
  /** Whether the coordinator has a record of its decision to commit. */
  boolean decided;
  /** How an operator ends the transaction after the votes; null for nothing. */
  Boolean operator;
  /** The participants that have sent the fault InconsistentInternalState. */
  final Set<String> contradicted = new HashSet<>();
  /** Whether the group has not lost its memory, or has found nothing in its database since. */
  boolean knowsVotes = true;
  private Failpoint killAt;
  private int victim;

  /** @param registered the replicas that the coordinator knows */
  TestGroup(Set<Integer> registered) {
    Map<Integer, Registration.Member> members = new TreeMap<>();
    for (int replica : registered) {
      members.put(replica, new Registration.Member("understudy-" + replica, "coordinator"));
      coordinator.put("understudy-" + replica, State.ACTIVE);
    }
    registration = new Registration(TRANSACTION, members);
    open = true;
    for (int replica = 1; replica <= 3; replica++) {
      start(replica);
    }
  }

  void start(int replica) {
    GroupPart part = new GroupPart();
    part.started(new Replica(replica));
    if (registration != null) {
      part.registered(TRANSACTION, registration.encoded());
    }
    parts.put(replica, part);
    alive.put(replica, new GroupParticipants(part, replica, new Messages(replica), 0, 0, step -> {
      if (step == killAt && replica == victim) {
        kill(replica);
        throw new Killed();
      }
    }));
    if (primary == 0) {
      primary = replica;
    }
  }

  void killAt(Failpoint step, int replica) {
    killAt = step;
    victim = replica;
  }

  boolean kill(int replica) {
    if (alive.remove(replica) == null) {
      return false;
    }
    if (primary == replica) {
      open = false;
      primary = alive.keySet().stream().reduce(0, Math::max);
    }
    return true;
  }

  private void deliver(int to, String id, State message) {
    GroupParticipants replica = alive.get(to);
    if (replica == null) {
      return;
    }
    try {
      boolean known = message == State.PREPARING ? replica.prepare(id) : replica.decide(id, message == State.COMMITTING);
      if (!known) {
        // As Narayana answers for an unknown participant.
        answered(id, message == State.COMMITTING ? State.COMMITTING : State.ABORTING, to);
      }
    } catch (Killed e) {
      // The message has no answer.
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int replica(String id) {
    return Integer.parseInt(id.substring(GroupParticipants.PREFIX.length()));
  }

  /** As a coordinator of Narayana: it asks one participant after the other, and decides. */
  void coordinate(boolean othersCommit) {
    boolean all = true;
    for (String id : new TreeSet<>(coordinator.keySet())) {
      coordinator.put(id, State.PREPARING);
      for (int i = 0; i < 2 && coordinator.get(id) == State.PREPARING; i++) {
        deliver(replica(id), id, State.PREPARING);
      }
      all &= coordinator.get(id) == null || coordinator.get(id) == State.PREPARED;
    }
    decided = all && othersCommit;
    for (String id : new TreeSet<>(coordinator.keySet())) {
      coordinator.put(id, decided ? State.COMMITTING : State.ABORTING);
      deliver(replica(id), id, coordinator.get(id));
    }
    if (!decided) {
      // Rollback is sent once.
      coordinator.clear();
    }
  }

  /** The coordinator repeats Commit, and the group its votes. */
  void recover() {
    killAt = null;
    for (int i = 0; i < MAX_ROUNDS; i++) {
      if (i == 2 && !prepared && !open) {
        registration = null;
        parts.values().forEach(part -> part.ended(TRANSACTION));
      }
      for (String id : new TreeSet<>(coordinator.keySet())) {
        deliver(replica(id), id, coordinator.get(id));
      }
      new TreeMap<>(alive).values().forEach(GroupParticipants::repeatVotes);
    }
  }

  /** The coordinator halts: what it has not decided it does not know any more. */
  void haltCoordinator() {
    if (!decided) {
      coordinator.clear();
    }
  }

  boolean isInDoubt() {
    return prepared;
  }

  boolean isUnacknowledged() {
    return !coordinator.isEmpty();
  }

  /** Receives an answer, as Narayana's CoordinatorEngine does. */
  private void answered(String id, State message, int from) {
    State state = coordinator.get(id);
    switch (message) {
      case PREPARED -> {
        if (state == null) {
          deliver(from, id, State.ABORTING);
        } else if (state == State.PREPARING) {
          coordinator.put(id, State.PREPARED);
        } else if (state == State.COMMITTING) {
          deliver(replica(id), id, State.COMMITTING);
        }
      }
      case COMMITTING -> {
        if (state == State.COMMITTING) {
          coordinator.remove(id);
        }
      }
      default -> {
        if (state == State.PREPARING) {
          coordinator.put(id, State.ABORTING);
        } else if (state == State.ABORTING) {
          coordinator.remove(id);
        }
      }
    }
  }

  private void end(boolean committed) {
    if (prepared || open) {
      outcome = committed;
    }
    prepared = false;
    open = false;
  }

  /** The coordinator's side of the network. */
  private final class Messages implements ParticipantMessages {
    private final int from;

    private Messages(int from) {
      this.from = from;
    }

    @Override
    public void prepared(Registration.Member member) {
      answered(member.id(), State.PREPARED, from);
    }

    @Override
    public void readOnly(Registration.Member member) {
      coordinator.remove(member.id());
    }

    @Override
    public void aborted(Registration.Member member) {
      answered(member.id(), State.ABORTING, from);
    }

    @Override
    public void committed(Registration.Member member) {
      answered(member.id(), State.COMMITTING, from);
    }

    @Override
    public void contradicted(Registration.Member member) {
      contradicted.add(member.id());
    }

    @Override
    public void forward(int replica, String participant, boolean commit) {
      deliver(replica, participant, commit ? State.COMMITTING : State.ABORTING);
    }
  }

  /** A replica of the group, as {@code GroupParticipant} of the plugin. */
  private final class Replica implements TransactionParticipant {
    private final int self;

    private Replica(int self) {
      this.self = self;
    }

    @Override
    public Vote prepare(String transaction) {
      if (prepared) {
        return Vote.PREPARED;
      }
      if (self != primary) {
        throw new IllegalStateException("The primary has not prepared it.");
      }
      if (open) {
        open = false;
        prepared = true;
        return Vote.PREPARED;
      }
      return Vote.ABORTED;
    }

    @Override
    public void commit(String transaction) {
      decide(true);
    }

    @Override
    public void abort(String transaction) {
      decide(false);
    }

    private void decide(boolean commit) {
      if (operator != null && commit != operator) {
        end(operator);
        throw new ContradictedDecisionException("An operator has decided otherwise.");
      }
      if (self == primary) {
        end(commit);
      } else if (prepared) {
        throw new IllegalStateException("The primary has not marked it.");
      }
    }

    @Override
    public boolean isMember() {
      return true;
    }

    @Override
    public boolean knowsVotes() {
      return knowsVotes;
    }

    @Override
    public int primary() {
      return primary;
    }

    @Override
    public boolean isPrepared(String transaction) {
      return prepared;
    }

    @Override
    public Set<String> inDoubt() {
      return prepared ? new HashSet<>(Set.of(TRANSACTION)) : Set.of();
    }
  }
}
