package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.runtime.Replica;

/**
 * Asks the groups that coordinate transactions how those have ended, and carries the answers out. Does not block; one thread at a time
 * calls {@link #ask()}.
 */
final class StatusQuestions {
  private static final Logger LOG = LoggerFactory.getLogger(StatusQuestions.class);
  /** After how long without a decision a participant asks, and asks again; also about open parts, whose coordinator may have lost them. */
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Replica replica;
  private final OpenTransactions open;
  private final CoordinatedTransactions coordinated;
  private final PeerGroups peers;
  private final Executor decisions;
  private final Failpoint.Replicated failpoints;
  /** When a participant asks next about each transaction, in {@link System#nanoTime()}. For one thread at a time. */
  private final Map<String, Long> askAt = new HashMap<>();
  private final Set<String> learning = ConcurrentHashMap.newKeySet();

  /** @param decisions runs what waits until a decision is stable */
  StatusQuestions(
      Replica replica,
      OpenTransactions open,
      CoordinatedTransactions coordinated,
      PeerGroups peers,
      Executor decisions,
      Failpoint.Replicated failpoints) {
    this.replica = replica;
    this.open = open;
    this.coordinated = coordinated;
    this.peers = peers;
    this.decisions = decisions;
    this.failpoints = failpoints;
  }

  /** Asks for the decision of a branch whose vote the log does not know. */
  void ask(KnownBranch branch) {
    String part = branch.participant().restText();
    // Without these words, the coordinator is no group.
    if (part.split(" ").length != 2) {
      return;
    }
    String id = branch.participant().transaction();
    OperatorDecisions.Entry kept = coordinated.operators().find(id);
    if (kept != null && kept.part().equals(part)) {
      // Whatever the coordinator answers.
      endLater(id, part, kept.decision());
      return;
    }
    ask(id, part, decision -> endLater(id, part, decision));
  }

  /**
   * Asks the coordinator of a part. Does not block.
   *
   * @param part the coordinator's group and the name of the part
   * @param then called with the decision; not at all while there is none
   */
  private void ask(String id, String part, Consumer<Decision> then) {
    String[] words = part.split(" ");
    peers.send(PeerMessage.Kind.STATUS, words[0], id, words[1]).thenAccept(answer -> {
      Decision decision = decision(id, words[0], answer);
      if (decision != null) {
        then.accept(decision);
      }
    });
  }

  /** Returns null while the transaction is active, when its coordinator has lost the decision, and for no answer. */
  private Decision decision(String id, String group, String answer) {
    TransactionStatus status = PeerMessage.answer(TransactionStatus.class, answer);
    if (status == TransactionStatus.LOST) {
      coordinated.lost().add(id, group);
      // What has not voted here was not committed.
      open.abortOpen(id, "its coordinator has lost its memory");
    }
    if (status == TransactionStatus.COMMITTED) {
      return Decision.COMMITTED;
    }
    return status == TransactionStatus.ABORTED ? Decision.ABORTED : null;
  }

  /** By another thread. The next sweep asks again if it fails. */
  private void endLater(String id, String part, Decision decision) {
    coordinated.branches().run(() -> {
      try {
        coordinated.endLost(id, part, decision);
      } catch (IllegalStateException | DecisionStoreException e) {
        LOG.debug("The part of {} in the database has not ended.", id, e);
      }
    });
  }

  /** Asks about the transactions that stay open or in doubt here. */
  void ask() {
    if (!replica.routing().servesUpdates()) {
      askAt.clear();
      return;
    }
    long now = System.nanoTime();
    Map<String, String> parts = new HashMap<>();
    open.parts().forEach(one -> parts.put(one.id(), new String(one.record(), StandardCharsets.UTF_8)));
    replica.undecided().stream().filter(one -> one.participant().rest().length > 0)
        .forEach(one -> parts.put(one.participant().transaction(), one.participant().restText()));
    coordinated.operators().all().stream().filter(one -> !one.part().isEmpty() && !one.contradicted())
        .forEach(one -> parts.put(one.id(), one.part()));
    askAt.keySet().retainAll(parts.keySet());
    parts.forEach((id, part) -> {
      if (askAt.computeIfAbsent(id, key -> now + ASK_NANOS) - now <= 0) {
        askAt.put(id, now + ASK_NANOS);
        ask(id, part, decision -> learnLater(id, decision));
      }
    });
  }

  private void learnLater(String id, Decision decision) {
    if (learning.add(id)) {
      try {
        decisions.execute(() -> learn(id, decision));
      } catch (RejectedExecutionException stopping) {
        LOG.debug("The web application is stopping.", stopping);
      }
    }
  }

  private void learn(String id, Decision decision) {
    try {
      failpoints.reached(Failpoint.STATUS_ANSWERED, id);
      if (decision == Decision.COMMITTED) {
        coordinated.participant().commit(id);
      } else {
        coordinated.participant().abort(id);
      }
    } catch (IllegalStateException e) {
      LOG.debug("The decision of {} is not stable. The coordinator is asked again.", id, e);
    } finally {
      learning.remove(id);
    }
  }
}
