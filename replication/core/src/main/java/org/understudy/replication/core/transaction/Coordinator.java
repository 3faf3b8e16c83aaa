package org.understudy.replication.core.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.core.Rule;

/**
 * Decides the transactions of one group, at its primary, and delivers the decisions to other groups. Deterministic: equal histories of
 * inputs give equal effects. Not thread-safe. Never blocks, and throws for no input from outside. See {@code
 * docs/design/transactions.md}.
 */
public final class Coordinator {
  private enum Phase {
    OPEN,
    PREPARING,
    /** The decision is on its way into the log: only the log can say what becomes of it. */
    PROPOSED,
    /** The record is stable; participants may not know it. */
    COMMITTED
  }

  /** One transaction, until nobody needs its decision any more. */
  private static final class Transaction {
    private final String id;
    /** By group: all that are registered; in phase COMMITTED those that have not acknowledged. */
    private final Map<String, RemoteParticipant> participants = new TreeMap<>();
    /** The groups whose vote is missing. */
    private final Set<String> silent = new TreeSet<>();
    private Phase phase;
    /** Why it can only abort; null while it can commit. */
    private String doom;
    private long abortAt;
    private long repeatAt;

    Transaction(String id, Phase phase) {
      this.id = id;
      this.phase = phase;
    }
  }

  private final CoordinatorLimits limits;
  private final Set<Rule> rules;
  private final Map<String, Transaction> transactions = new TreeMap<>();
  private boolean primary;
  private int records;

  /** @param rules the enforced rules */
  public Coordinator(CoordinatorLimits limits, Set<Rule> rules) {
    this.limits = limits;
    this.rules = rules;
  }

  /**
   * Handles one input and requests its effects.
   *
   * @param now nanoseconds of a monotonic clock
   */
  public void step(long now, CoordinatorInput input, CoordinatorEffects out) {
    if (input instanceof CoordinatorInput.Began began) {
      begin(now, began, out);
    } else if (input instanceof CoordinatorInput.Ended) {
      primary = false;
      records = 0;
      transactions.clear();
    } else if (input instanceof CoordinatorInput.Registered registered) {
      out.registered(registered.token(), register(registered));
    } else if (!primary) {
      refuse(input, out);
    } else if (input instanceof CoordinatorInput.Opened opened) {
      transactions.putIfAbsent(opened.transaction(), new Transaction(opened.transaction(), Phase.OPEN));
    } else if (input instanceof CoordinatorInput.CommitRequested commit) {
      prepare(now, commit.transaction(), out);
    } else if (input instanceof CoordinatorInput.AbortRequested abort) {
      abort(abort, out);
    } else if (input instanceof CoordinatorInput.Voted voted) {
      voted(voted, out);
    } else if (input instanceof CoordinatorInput.Proposed proposed) {
      proposed(now, proposed, out);
    } else if (input instanceof CoordinatorInput.Acknowledged acknowledged) {
      acknowledged(acknowledged, out);
    } else {
      tick(now, out);
    }
  }

  /**
   * What a participant in doubt may conclude. To be answered within a linearizable read, so that a replaced primary gives no answer.
   *
   * @param ofThisLife whether the transaction was begun in the present {@link CoordinatorLife}
   */
  public TransactionStatus status(String id, boolean ofThisLife) {
    Transaction found = transactions.get(id);
    if (found != null && found.phase == Phase.COMMITTED) {
      return TransactionStatus.COMMITTED;
    }
    boolean missing = primary && found == null;
    if (!missing && rules.contains(Rule.ABORTED_UNLESS_OPEN)) {
      return TransactionStatus.ACTIVE;
    }
    return ofThisLife || !rules.contains(Rule.OTHER_LIFE_IS_UNKNOWN) ? TransactionStatus.ABORTED : TransactionStatus.LOST;
  }

  /** The transactions that have committed, and that participants have not acknowledged. For status; in ascending order of their ids. */
  public List<DecisionRecord> unacknowledged() {
    return transactions.values().stream().filter(one -> one.phase == Phase.COMMITTED).map(Coordinator::decision).toList();
  }

  private static DecisionRecord decision(Transaction transaction) {
    return new DecisionRecord(transaction.id, List.copyOf(transaction.participants.values()));
  }

  private void begin(long now, CoordinatorInput.Began began, CoordinatorEffects out) {
    primary = true;
    transactions.clear();
    records = 0;
    for (DecisionRecord record : began.records()) {
      Transaction transaction = new Transaction(record.transaction(), Phase.COMMITTED);
      record.participants().forEach(participant -> transaction.participants.put(participant.group(), participant));
      transactions.put(transaction.id, transaction);
      records++;
      deliver(now, transaction, out);
    }
  }

  private static void refuse(CoordinatorInput input, CoordinatorEffects out) {
    if (input instanceof CoordinatorInput.CommitRequested commit) {
      out.aborted(commit.transaction(), "this replica is not the primary of the coordinator's group");
    }
  }

  // ---- before the decision

  /** Returns why the participant may not execute, or null. */
  private String register(CoordinatorInput.Registered input) {
    Transaction transaction = transactions.get(input.transaction());
    if (!primary || transaction == null || transaction.phase != Phase.OPEN) {
      return "The transaction " + input.transaction() + " is not open here: it was aborted, or it is being committed.";
    }
    RemoteParticipant participant = input.participant();
    RemoteParticipant before = transaction.participants.get(participant.group());
    boolean lost = before != null && !before.part().equals(participant.part());
    if (lost && rules.contains(Rule.LOST_PART_ABORTS)) {
      transaction.doom = "the part of the group " + participant.group() + " was lost with its primary";
      return "The transaction " + input.transaction() + " can only abort: " + transaction.doom + ".";
    }
    if (before == null && transaction.participants.size() >= limits.participants()) {
      transaction.doom = "it would have more than " + limits.participants() + " other groups, the limit";
      return "The transaction " + input.transaction() + " has " + limits.participants() + " other groups, the limit.";
    }
    transaction.participants.put(participant.group(), participant);
    return null;
  }

  private void prepare(long now, String id, CoordinatorEffects out) {
    Transaction transaction = transactions.get(id);
    if (transaction == null) {
      out.aborted(id, "it is unknown here: it has ended, or the primary at which it was begun has failed");
    } else if (transaction.phase != Phase.OPEN) {
      // Its commit is under way, or its effects are to come.
      return;
    } else if (transaction.doom != null) {
      end(transaction, transaction.doom, out);
    } else if (!transaction.participants.isEmpty() && records >= limits.records()) {
      end(transaction, "too many decisions wait for acknowledgements of other groups", out);
    } else {
      transaction.phase = Phase.PREPARING;
      transaction.abortAt = now + limits.prepareNanos();
      transaction.repeatAt = now + limits.repeatNanos();
      transaction.silent.addAll(transaction.participants.keySet());
      transaction.participants.values().forEach(participant -> out.prepare(id, participant));
      proposeWhenComplete(transaction, out);
    }
  }

  private void voted(CoordinatorInput.Voted input, CoordinatorEffects out) {
    Transaction transaction = transactions.get(input.transaction());
    RemoteParticipant participant = transaction == null ? null : transaction.participants.get(input.group());
    if (participant == null || transaction.phase != Phase.PREPARING || !participant.part().equals(input.part())) {
      return;
    }
    if (input.vote() == ParticipantVote.ABORTED) {
      transaction.participants.remove(input.group());
      end(transaction, "the group " + input.group() + " could not prepare its part", out);
      return;
    }
    if (transaction.silent.remove(input.group()) && input.vote() == ParticipantVote.READ_ONLY) {
      transaction.participants.remove(input.group());
    }
    proposeWhenComplete(transaction, out);
  }

  private void proposeWhenComplete(Transaction transaction, CoordinatorEffects out) {
    boolean complete = transaction.silent.isEmpty() || !rules.contains(Rule.EVERY_VOTE_BEFORE_DECISION);
    if (!complete || transaction.phase != Phase.PREPARING) {
      return;
    }
    transaction.phase = Phase.PROPOSED;
    if (!rules.contains(Rule.DECISION_BEFORE_COMMIT)) {
      transaction.participants.values().forEach(participant -> out.commit(transaction.id, participant));
    }
    out.propose(decision(transaction));
  }

  private void abort(CoordinatorInput.AbortRequested input, CoordinatorEffects out) {
    Transaction transaction = transactions.get(input.transaction());
    if (transaction != null && (transaction.phase == Phase.OPEN || transaction.phase == Phase.PREPARING)) {
      end(transaction, input.why(), out);
    }
  }

  private void end(Transaction transaction, String why, CoordinatorEffects out) {
    transactions.remove(transaction.id);
    transaction.participants.values().forEach(participant -> out.abort(transaction.id, participant));
    out.aborted(transaction.id, why);
  }

  // ---- after it

  private void proposed(long now, CoordinatorInput.Proposed input, CoordinatorEffects out) {
    Transaction transaction = transactions.get(input.transaction());
    if (transaction == null || transaction.phase != Phase.PROPOSED) {
      return;
    }
    if (!input.stable()) {
      end(transaction, "its update was not executed", out);
    } else if (transaction.participants.isEmpty()) {
      transactions.remove(transaction.id);
    } else {
      transaction.phase = Phase.COMMITTED;
      records++;
      deliver(now, transaction, out);
    }
  }

  private void deliver(long now, Transaction transaction, CoordinatorEffects out) {
    transaction.repeatAt = now + limits.repeatNanos();
    transaction.participants.values().forEach(participant -> out.commit(transaction.id, participant));
  }

  private void acknowledged(CoordinatorInput.Acknowledged input, CoordinatorEffects out) {
    Transaction transaction = transactions.get(input.transaction());
    RemoteParticipant participant = transaction == null ? null : transaction.participants.get(input.group());
    if (participant == null || transaction.phase != Phase.COMMITTED || !participant.part().equals(input.part())) {
      return;
    }
    transaction.participants.remove(input.group());
    if (transaction.participants.isEmpty() || !rules.contains(Rule.FORGET_AFTER_ALL_ACKNOWLEDGED)) {
      transactions.remove(transaction.id);
      records--;
      out.forget(transaction.id);
    }
  }

  private void tick(long now, CoordinatorEffects out) {
    List<Transaction> late = new ArrayList<>();
    for (Transaction transaction : transactions.values()) {
      if (transaction.phase == Phase.PREPARING && transaction.abortAt <= now) {
        late.add(transaction);
      } else if (transaction.phase == Phase.PREPARING && transaction.repeatAt <= now) {
        transaction.repeatAt = now + limits.repeatNanos();
        transaction.silent.forEach(group -> out.prepare(transaction.id, transaction.participants.get(group)));
      } else if (transaction.phase == Phase.COMMITTED && transaction.repeatAt <= now) {
        deliver(now, transaction, out);
      }
    }
    for (Transaction transaction : late) {
      end(transaction, "the groups " + transaction.silent + " have not answered in time", out);
    }
  }
}
