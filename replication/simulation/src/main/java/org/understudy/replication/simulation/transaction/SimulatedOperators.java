package org.understudy.replication.simulation.transaction;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.update.StateChange;

/**
 * Decisions at one replica about what is in doubt there, of coordinators and of operators in their place, after the container's {@code
 * GroupParticipant}. An operator's decision is kept in the log, and compared with the coordinator's.
 */
final class SimulatedOperators {
  /** So long the caller of a decision waits. The log or the database can take longer. */
  private static final long WAIT = 1_000_000_000L;
  /** So long a change waits until it is stable, once the primary's log has it. */
  private static final long DEADLINE = 200_000_000L;

  /** What becomes of a coordinator's decision. */
  enum Answer {
    DONE,
    /** An operator has decided otherwise. */
    HEURISTIC,
    /** Nothing is known to be stable: it comes again. */
    UNKNOWN
  }

  private final SimulatedNode node;
  private final SimulatedContainer container;
  /** By transaction, how many decisions of the coordinator are carried out; negative for an operator's. */
  private Map<String, Integer> turns = new TreeMap<>();
  private final Map<String, Long> askAt = new TreeMap<>();

  SimulatedOperators(SimulatedNode node, SimulatedContainer container) {
    this.node = node;
    this.container = container;
  }

  private boolean enforces(Rule rule) {
    return node.simulation.rules().contains(rule);
  }

  /** Null for none. */
  private OperatorEntry find(String transaction) {
    return OperatorEntry.find(node.image, transaction);
  }

  /** Whether an operator has decided this part of a transaction. */
  boolean contains(String transaction, String part) {
    OperatorEntry found = find(transaction);
    return found != null && found.part().equals(part);
  }

  /** What an operator has decided about a part; null for nothing. */
  Decision decided(String transaction, String part) {
    return contains(transaction, part) ? find(transaction).decision() : null;
  }

  /** This replica is not the primary any more. */
  void lose() {
    turns = new TreeMap<>();
    askAt.clear();
  }

  /**
   * A decision that is carried out. Its caller waits for some time, and other decisions about its transaction until it has ended.
   *
   * @param <A> the answer to the caller
   */
  private final class Turn<A> {
    private final Map<String, Integer> all = turns;
    private final String transaction;
    private final Consumer<A> answer;
    private boolean ended;
    /** Its caller has an answer: no further step begins. */
    private boolean over;

    /** @param unknown the answer when there is none in time */
    Turn(String transaction, A unknown, Consumer<A> answer) {
      this.transaction = transaction;
      this.answer = answer;
      node.simulation.world().after(WAIT, () -> node.arrive(() -> {
        if (!enforces(Rule.DECISIONS_TAKE_TURNS)) {
          release();
        }
        answer(unknown);
      }));
    }

    void end(A result) {
      release();
      answer(result);
    }

    private void release() {
      if (!ended) {
        ended = true;
        all.computeIfPresent(transaction, (id, count) -> count < 0 || count == 1 ? null : count - 1);
      }
    }

    private void answer(A result) {
      if (!over) {
        over = true;
        answer.accept(result);
      }
    }
  }

  /** @param stored takes false, too, when the primary's log has the change, and it is not stable for long */
  private void update(TwoPhaseStep step, StateChange change, Consumer<Boolean> stored) {
    boolean[] over = new boolean[1];
    Consumer<Boolean> once = done -> {
      if (!over[0]) {
        over[0] = true;
        stored.accept(done);
      }
    };
    container.update(step, change, once, () -> node.simulation.world().after(DEADLINE, () -> node.arrive(() -> once.accept(false))));
  }

  /** Returns false while an operator decides. */
  private boolean beginCoordinator(String transaction) {
    return turns.merge(transaction, 1, (now, one) -> now < 0 ? now : now + one) > 0;
  }

  // ---- the coordinator's decision

  /** Does what the coordinator has decided. What an operator has decided stands. */
  void decide(String transaction, Decision asked, Consumer<Answer> answer) {
    if (!beginCoordinator(transaction)) {
      answer.accept(Answer.UNKNOWN);
      return;
    }
    Turn<Answer> turn = new Turn<>(transaction, Answer.UNKNOWN, answer);
    settle(transaction, asked, settled -> {
      OperatorEntry before = find(transaction);
      if (!settled || turn.over || node.role() != Role.PRIMARY) {
        turn.end(Answer.UNKNOWN);
      } else if (before != null && before.decision() != asked && enforces(Rule.CONTRADICTION_IS_KEPT)) {
        contradict(before, turn);
      } else if (before != null) {
        removeThenAnswer(transaction, turn);
      } else {
        turn.end(Answer.DONE);
      }
    });
  }

  /** The coordinator forgets its decision when it is acknowledged, and answers "aborted" then. */
  private void removeThenAnswer(String transaction, Turn<Answer> turn) {
    if (!enforces(Rule.AGREEMENT_BEFORE_ACKNOWLEDGEMENT)) {
      turn.answer(Answer.DONE);
    }
    update(
        TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction),
        removed -> turn.end(removed ? Answer.DONE : Answer.UNKNOWN));
  }

  private void contradict(OperatorEntry decided, Turn<Answer> turn) {
    node.simulation.world().trace(
        "%d.%d: %s is %s by an operator, and otherwise by its coordinator", node.group, node.number, decided.transaction(),
        decided.decision());
    if (decided.contradicted()) {
      turn.end(Answer.HEURISTIC);
    } else {
      update(
          TwoPhaseStep.CONTRADICTION, decided.contradict().stored(),
          stored -> turn.end(stored ? Answer.HEURISTIC : Answer.UNKNOWN));
    }
  }

  private void settle(String transaction, Decision asked, Consumer<Boolean> settled) {
    PreparedPart part = container.preparedPart(transaction);
    OperatorEntry before = find(transaction);
    if (part == null && before != null && container.branches() != null && enforces(Rule.OPERATOR_DECISION_STANDS)) {
      // The operator's command may have been lost before the end of a lost branch. What it has decided is stable first.
      whenStable(
          () -> container.branches().left().end(transaction, before.part(), before.decision(), ended -> {
            if (ended) {
              confirm(transaction, settled);
            } else {
              settled.accept(false);
            }
          }),
          () -> settled.accept(false));
      return;
    } else if (part == null) {
      confirm(transaction, settled);
      return;
    }
    container.decide(part, before == null || !enforces(Rule.OPERATOR_DECISION_STANDS) ? asked : before.decision(), settled);
  }

  /** Does something when what an operator has decided is stable. */
  private void whenStable(Runnable then, Runnable failed) {
    if (enforces(Rule.STABLE_DECISION_ENDS_LOST_BRANCH)) {
      container.guarded(() -> {}, then, failed);
    } else {
      then.run();
    }
  }

  /** A replaced primary may lack what is prepared. */
  private void confirm(String transaction, Consumer<Boolean> settled) {
    container.guarded(() -> {}, () -> settled.accept(container.preparedPart(transaction) == null), () -> settled.accept(false));
  }

  // ---- in place of the coordinator

  /**
   * Decides a transaction in doubt.
   *
   * @param done takes whether it is decided so, and that is stable; if not, it may still be
   */
  void decideByOperator(String transaction, Decision decision, Consumer<Boolean> done) {
    if (turns.putIfAbsent(transaction, -1) != null) {
      done.accept(false);
      return;
    }
    Turn<Boolean> turn = new Turn<>(transaction, false, done);
    PreparedPart doubt = container.preparedPart(transaction);
    OperatorEntry before = find(transaction);
    if (before != null && before.decision() != decision) {
      turn.end(false);
    } else if (doubt == null) {
      endLost(transaction, before, decision, turn);
    } else if (before != null) {
      settleByOperator(transaction, decision, turn);
    } else if (enforces(Rule.BRANCH_BEFORE_OPERATOR_DECISION) && doubt.branch != null) {
      // What the database cannot do any more is not kept.
      container.guarded(
          () -> {},
          () -> container.branches().end(
              doubt.branch, decision, () -> keepThenSettle(transaction, decision, doubt.part, turn), () -> turn.end(false)),
          () -> turn.end(false));
    } else {
      keepThenSettle(transaction, decision, doubt.part, turn);
    }
  }

  private void keepThenSettle(String transaction, Decision decision, String part, Turn<Boolean> turn) {
    if (turn.over) {
      turn.end(false);
      return;
    }
    if (!enforces(Rule.OPERATOR_DECISION_FIRST)) {
      settle(transaction, decision, settled -> keep(transaction, decision, part, turn::end));
      return;
    }
    keep(transaction, decision, part, kept -> {
      if (kept && !turn.over) {
        settleByOperator(transaction, decision, turn);
      } else {
        turn.end(false);
      }
    });
  }

  private void keep(String transaction, Decision decision, String part, Consumer<Boolean> kept) {
    update(TwoPhaseStep.OPERATOR_DECISION, new OperatorEntry(transaction, decision, false, part).stored(), kept);
  }

  private void settleByOperator(String transaction, Decision decision, Turn<Boolean> turn) {
    if (container.preparedPart(transaction) != null) {
      settle(transaction, decision, turn::end);
    } else {
      // The mark of the coordinator's decision came first in the log.
      update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), removed -> turn.end(false));
    }
  }

  /** Ends what the database has of a transaction that the group's memory has lost. */
  private void endLost(String transaction, OperatorEntry before, Decision decision, Turn<Boolean> turn) {
    List<String> parts = container.branches() == null ? List.of() : container.branches().left().lostParts(transaction);
    if (parts.isEmpty()) {
      turn.end(false);
      return;
    }
    String part = parts.get(0);
    Runnable end = () -> container.guarded(
        () -> {},
        () -> container.branches().left().end(transaction, part, decision, done -> {
          if (done || turn.over) {
            turn.end(done);
          } else {
            dropRefused(transaction, part, decision, turn);
          }
        }),
        () -> turn.end(false));
    // A coordinator that is no group does not find the participant again, so its decision never arrives.
    if (before != null || node.simulation.hasForeignCoordinators()) {
      end.run();
    } else if (!enforces(Rule.LOST_BRANCH_BEFORE_OPERATOR_DECISION)) {
      keepThenEnd(transaction, decision, part, end, turn);
    } else {
      container.guarded(
          () -> {},
          () -> container.branches().left().isThere(transaction, part, there -> {
            if (there && !turn.over) {
              keepThenEnd(transaction, decision, part, end, turn);
            } else {
              turn.end(false);
            }
          }),
          () -> turn.end(false));
    }
  }

  private void keepThenEnd(String transaction, Decision decision, String part, Runnable end, Turn<Boolean> turn) {
    keep(transaction, decision, part, kept -> {
      if (kept && !turn.over) {
        end.run();
      } else {
        turn.end(false);
      }
    });
  }

  /** Ends a part that only the database has as its coordinator has decided; not while an operator decides, or if one has. */
  void endLost(String transaction, String part, Decision decision, Consumer<Boolean> ended) {
    if (!beginCoordinator(transaction)) {
      ended.accept(false);
      return;
    }
    Turn<Boolean> turn = new Turn<>(transaction, false, ended);
    Decision operators = enforces(Rule.OPERATOR_DECISION_STANDS) ? decided(transaction, part) : null;
    Runnable end = () -> container.branches().left().end(
        transaction, part, operators == null ? decision : operators,
        done -> turn.end(done && (operators == null || operators == decision)));
    if (operators == null) {
      end.run();
    } else {
      whenStable(end, () -> turn.end(false));
    }
  }

  /** What the database cannot do is not kept: it would end neither so nor otherwise. */
  private void dropRefused(String transaction, String part, Decision decision, Turn<Boolean> turn) {
    container.branches().left().refuses(transaction, part, decision, refused -> {
      boolean drops = refused && !turn.over && decided(transaction, part) == decision && enforces(Rule.REFUSED_DECISION_IS_DROPPED);
      if (drops) {
        update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), dropped -> turn.end(false));
      } else {
        turn.end(false);
      }
    });
  }

  /** Forgets an operator's decision. */
  void forget(String transaction, Consumer<Boolean> done) {
    if (!enforces(Rule.FORGETTING_TAKES_TURNS)) {
      forgetNow(transaction, done);
    } else if (turns.putIfAbsent(transaction, -1) != null) {
      done.accept(false);
    } else {
      Turn<Boolean> turn = new Turn<>(transaction, false, done);
      forgetNow(transaction, turn::end);
    }
  }

  private void forgetNow(String transaction, Consumer<Boolean> done) {
    if (find(transaction) == null || container.inDoubt().contains(transaction)) {
      done.accept(false);
    } else {
      update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), done);
    }
  }

  /** The primary asks how the coordinators have decided what operators have. */
  void tick(long now, long pause) {
    if (node.role() != Role.PRIMARY) {
      return;
    }
    List<OperatorEntry> unknown = OperatorEntry.all(node.image).stream().filter(entry -> !entry.contradicted()).toList();
    askAt.keySet().retainAll(unknown.stream().map(OperatorEntry::transaction).toList());
    for (OperatorEntry entry : unknown) {
      if (askAt.computeIfAbsent(entry.transaction(), id -> now + pause) <= now) {
        askAt.put(entry.transaction(), now + pause);
        container.decisions().ask(entry.transaction(), entry.part());
      }
    }
  }
}
