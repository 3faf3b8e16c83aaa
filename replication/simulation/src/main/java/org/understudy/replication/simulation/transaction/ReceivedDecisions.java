package org.understudy.replication.simulation.transaction;

import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.transaction.TransactionStatus;

/** The messages with decisions of coordinators that arrive at one replica, after the container's {@code PeerTransactions}. */
final class ReceivedDecisions {
  private final SimulatedNode node;
  private final SimulatedContainer container;

  ReceivedDecisions(SimulatedNode node, SimulatedContainer container) {
    this.node = node;
    this.container = container;
  }

  /** It may have lost the vote of a participant that it does not know, whose coordinator would forget its decision. */
  boolean isSilent() {
    boolean foreign = container.branches() != null && node.simulation.hasForeignCoordinators();
    return foreign && container.branches().left().mayHaveLost() && node.simulation.rules().contains(Rule.UNKNOWN_UNTIL_CHECKED);
  }

  private boolean isKnown(String transaction, String name) {
    PreparedPart part = container.preparedPart(transaction);
    return (part != null && part.part.equals(name)) || container.operators().contains(transaction, name);
  }

  void commit(String transaction, String name) {
    boolean[] unknown = new boolean[1];
    container.guarded(
        () -> {
          unknown[0] = !isKnown(transaction, name);
          if (!unknown[0]) {
            container.operators().decide(transaction, Decision.COMMITTED, answer -> answerCommit(transaction, name, answer));
          }
        },
        () -> {
          if (unknown[0]) {
            endUnknown(transaction, name, Decision.COMMITTED, () -> acknowledge(transaction, name));
          }
        },
        () -> {});
  }

  /** The database may have a part that the log has lost. */
  private void endUnknown(String transaction, String name, Decision decision, Runnable ended) {
    boolean hasLost = container.branches() != null && !node.simulation.hasForeignCoordinators();
    if (hasLost && node.simulation.rules().contains(Rule.LOST_BRANCH_BEFORE_ACKNOWLEDGEMENT)) {
      container.operators().endLost(transaction, name, decision, done -> {
        if (done) {
          ended.run();
        }
      });
    } else if (!isSilent()) {
      ended.run();
    }
  }

  private void answerCommit(String transaction, String part, SimulatedOperators.Answer answer) {
    if (answer == SimulatedOperators.Answer.DONE) {
      acknowledge(transaction, part);
    } else if (answer == SimulatedOperators.Answer.HEURISTIC) {
      int group = node.group;
      node.simulation.network().toCoordinators(node, TwoPhaseStep.ACKNOWLEDGEMENT, other -> other.contradicted(transaction, group));
    }
  }

  private void acknowledge(String transaction, String part) {
    int group = node.group;
    node.simulation.network().toCoordinators(node, TwoPhaseStep.ACKNOWLEDGEMENT, other -> other.acknowledged(transaction, group, part));
  }

  void abort(String transaction, String name) {
    OpenPart part = container.part(transaction);
    if (isKnown(transaction, name)) {
      container.operators().decide(transaction, Decision.ABORTED, answer -> {});
    } else if (part != null && part.part.equals(name)) {
      container.discardUnlessEnding(part);
    } else if (node.role() == Role.PRIMARY) {
      endUnknown(transaction, name, Decision.ABORTED, () -> {});
    }
  }

  /** A question about what is in doubt, lost, or decided by an operator has an answer. */
  void status(String transaction, String name, TransactionStatus status) {
    if (status == TransactionStatus.ACTIVE || status == TransactionStatus.LOST || node.role() != Role.PRIMARY) {
      return;
    }
    Decision decision = status == TransactionStatus.COMMITTED ? Decision.COMMITTED : Decision.ABORTED;
    if (container.branches() != null && container.branches().left().lostParts(transaction).contains(name)) {
      container.operators().endLost(transaction, name, decision, ended -> {});
    }
    if (isKnown(transaction, name)) {
      container.operators().decide(transaction, decision, answer -> {});
    }
  }

  /** Asks the coordinator for the status of a part. */
  void ask(String transaction, String part) {
    int group = node.group;
    int number = node.number;
    node.simulation.network().toCoordinators(node, TwoPhaseStep.QUESTION, other -> other.asked(transaction, part, group, number));
  }
}
