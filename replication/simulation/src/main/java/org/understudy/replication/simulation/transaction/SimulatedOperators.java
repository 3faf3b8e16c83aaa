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
  /** In the place of a number of decisions. */
  private static final int OPERATOR = -1;
  /** So long a decision is awaited, longer than an update can wait: a replica that lost its role may never learn what became of it. */
  private static final long WAIT = 3_000_000_000L;

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
  /** How many decisions of the coordinator are being carried out for each transaction; or that an operator's is. */
  private Map<String, Integer> deciding = new TreeMap<>();
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
    deciding = new TreeMap<>();
    askAt.clear();
  }

  /** Takes the first answer: false when there is none in time. Then its steps do not go on. */
  private static final class Wait implements Consumer<Boolean> {
    private final Consumer<Boolean> answer;
    private boolean over;

    private Wait(Consumer<Boolean> answer) {
      this.answer = answer;
    }

    @Override
    public void accept(Boolean value) {
      if (!over) {
        over = true;
        answer.accept(value);
      }
    }
  }

  private Wait await(Consumer<Boolean> answer) {
    Wait wait = new Wait(answer);
    node.simulation.world().after(WAIT, () -> node.arrive(() -> wait.accept(false)));
    return wait;
  }

  private void update(TwoPhaseStep step, StateChange change, Consumer<Boolean> stored) {
    container.update(step, change, stored);
  }

  /** Returns false while an operator decides. */
  private boolean beginDeciding(String transaction) {
    return deciding.merge(transaction, 1, (now, one) -> now == OPERATOR ? now : now + one) != OPERATOR;
  }

  /** @param counts those of the time of the beginning */
  private static void endDeciding(Map<String, Integer> counts, String transaction) {
    counts.computeIfPresent(transaction, (id, count) -> count == 1 ? null : count - 1);
  }

  // ---- the coordinator's decision

  /** Does what the coordinator has decided. What an operator has decided stands. */
  void decide(String transaction, Decision asked, Consumer<Answer> answer) {
    if (!beginDeciding(transaction)) {
      answer.accept(Answer.UNKNOWN);
      return;
    }
    Map<String, Integer> counts = deciding;
    settle(transaction, asked, await(settled -> {
      endDeciding(counts, transaction);
      OperatorEntry before = find(transaction);
      if (!settled || node.role() != Role.PRIMARY) {
        answer.accept(Answer.UNKNOWN);
      } else if (before != null && before.decision() != asked && enforces(Rule.CONTRADICTION_IS_KEPT)) {
        contradict(before, answer);
      } else if (before != null) {
        removeThenAnswer(transaction, answer);
      } else {
        answer.accept(Answer.DONE);
      }
    }));
  }

  /** The coordinator forgets its decision when it is acknowledged, and answers "aborted" then. */
  private void removeThenAnswer(String transaction, Consumer<Answer> answer) {
    boolean first = enforces(Rule.AGREEMENT_BEFORE_ACKNOWLEDGEMENT);
    if (!first) {
      answer.accept(Answer.DONE);
    }
    update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), removed -> {
      if (first) {
        answer.accept(removed ? Answer.DONE : Answer.UNKNOWN);
      }
    });
  }

  private void contradict(OperatorEntry decided, Consumer<Answer> answer) {
    node.simulation.world().trace(
        "%d.%d: %s is %s by an operator, and otherwise by its coordinator", node.group, node.number, decided.transaction(),
        decided.decision());
    if (decided.contradicted()) {
      answer.accept(Answer.HEURISTIC);
    } else {
      update(
          TwoPhaseStep.CONTRADICTION, decided.contradict().stored(),
          stored -> answer.accept(stored ? Answer.HEURISTIC : Answer.UNKNOWN));
    }
  }

  private void settle(String transaction, Decision asked, Consumer<Boolean> settled) {
    PreparedPart part = container.preparedPart(transaction);
    OperatorEntry before = find(transaction);
    if (part == null && before != null && container.branches() != null && enforces(Rule.OPERATOR_DECISION_STANDS)) {
      // The operator's command may have been lost before the end of a lost branch.
      container.branches().left().end(transaction, before.part(), before.decision(), ended -> {
        if (ended) {
          confirm(transaction, settled);
        } else {
          settled.accept(false);
        }
      });
      return;
    } else if (part == null) {
      confirm(transaction, settled);
      return;
    }
    container.decide(part, before == null || !enforces(Rule.OPERATOR_DECISION_STANDS) ? asked : before.decision(), settled);
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
    if (deciding.putIfAbsent(transaction, OPERATOR) != null) {
      done.accept(false);
      return;
    }
    Map<String, Integer> counts = deciding;
    Wait ended = await(decided -> {
      counts.remove(transaction, OPERATOR);
      done.accept(decided);
    });
    PreparedPart doubt = container.preparedPart(transaction);
    OperatorEntry before = find(transaction);
    if (before != null && before.decision() != decision) {
      ended.accept(false);
    } else if (doubt == null) {
      endLost(transaction, before, decision, ended);
    } else if (before != null) {
      settleByOperator(transaction, decision, ended);
    } else if (enforces(Rule.BRANCH_BEFORE_OPERATOR_DECISION) && doubt.branch != null) {
      // What the database cannot do any more is not kept.
      container.guarded(
          () -> {},
          () -> container.branches().end(
              doubt.branch, decision, () -> keepThenSettle(transaction, decision, doubt.part, ended), () -> ended.accept(false)),
          () -> ended.accept(false));
    } else {
      keepThenSettle(transaction, decision, doubt.part, ended);
    }
  }

  private void keepThenSettle(String transaction, Decision decision, String part, Wait ended) {
    if (ended.over) {
      return;
    }
    if (!enforces(Rule.OPERATOR_DECISION_FIRST)) {
      settle(transaction, decision, settled -> keep(transaction, decision, part, ended));
      return;
    }
    keep(transaction, decision, part, kept -> {
      if (kept && !ended.over) {
        settleByOperator(transaction, decision, ended);
      } else {
        ended.accept(false);
      }
    });
  }

  private void keep(String transaction, Decision decision, String part, Consumer<Boolean> kept) {
    update(TwoPhaseStep.OPERATOR_DECISION, new OperatorEntry(transaction, decision, false, part).stored(), kept);
  }

  private void settleByOperator(String transaction, Decision decision, Consumer<Boolean> ended) {
    if (container.preparedPart(transaction) != null) {
      settle(transaction, decision, ended);
    } else {
      // The mark of the coordinator's decision came first in the log.
      update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), removed -> {});
      ended.accept(false);
    }
  }

  /** Ends what the database has of a transaction that the group's memory has lost. */
  private void endLost(String transaction, OperatorEntry before, Decision decision, Wait ended) {
    List<String> parts = container.branches() == null ? List.of() : container.branches().left().lostParts(transaction);
    if (parts.isEmpty()) {
      ended.accept(false);
      return;
    }
    Runnable end = () -> container.guarded(
        () -> {},
        () -> container.branches().left().end(transaction, parts.get(0), decision, done -> {
          if (done || ended.over) {
            ended.accept(done);
          } else {
            dropRefused(transaction, parts.get(0), decision, ended);
          }
        }),
        () -> ended.accept(false));
    // A coordinator that is no group does not find the participant again, so its decision never arrives.
    if (before == null && !node.simulation.hasForeignCoordinators()) {
      container.guarded(
          () -> {},
          () -> container.branches().left().isThere(transaction, parts.get(0), there -> {
            if (there && !ended.over) {
              keepThenEnd(transaction, decision, parts.get(0), end, ended);
            } else {
              ended.accept(false);
            }
          }),
          () -> ended.accept(false));
    } else {
      end.run();
    }
  }

  private void keepThenEnd(String transaction, Decision decision, String part, Runnable end, Wait ended) {
    keep(transaction, decision, part, kept -> {
      if (kept && !ended.over) {
        end.run();
      } else {
        ended.accept(false);
      }
    });
  }

  /** Ends a part that only the database has as its coordinator has decided; not while an operator decides, or if one has. */
  void endLost(String transaction, String part, Decision decision, Consumer<Boolean> ended) {
    if (!beginDeciding(transaction)) {
      ended.accept(false);
      return;
    }
    Map<String, Integer> counts = deciding;
    Decision operators = enforces(Rule.OPERATOR_DECISION_STANDS) ? decided(transaction, part) : null;
    container.branches().left().end(transaction, part, operators == null ? decision : operators, await(done -> {
      endDeciding(counts, transaction);
      ended.accept(done && (operators == null || operators == decision));
    }));
  }

  /** What the database cannot do is not kept: it would end neither so nor otherwise. */
  private void dropRefused(String transaction, String part, Decision decision, Wait ended) {
    container.branches().left().refuses(transaction, part, decision, refused -> {
      boolean drops = refused && !ended.over && decided(transaction, part) == decision && enforces(Rule.REFUSED_DECISION_IS_DROPPED);
      if (drops) {
        update(TwoPhaseStep.OPERATOR_FORGETTING, OperatorEntry.removed(transaction), dropped -> ended.accept(false));
      } else {
        ended.accept(false);
      }
    });
  }

  /** Forgets an operator's decision. */
  void forget(String transaction, Consumer<Boolean> done) {
    if (find(transaction) == null || container.preparedPart(transaction) != null) {
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
