package org.understudy.outbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.core.request.Failure;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.OccupiedResourceException;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Delivers stored replies to the service. Thread-safe; no method blocks. */
final class ReplyGiving {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyGiving.class);
  /** After so many failures of the service to take a reply, the call becomes a dead letter. */
  private static final int MAX_TAKES = 10;

  private final InternalUpdates updates;
  private final OutboxThread thread;
  private final ReplyTaker taker;
  private final Outcomes outcomes;
  private final Runnable onTaken;

  /** @param onTaken runs on the outbox thread after the service has taken a reply */
  ReplyGiving(InternalUpdates updates, OutboxThread thread, ReplyTaker taker, Outcomes outcomes, Runnable onTaken) {
    this.updates = updates;
    this.thread = thread;
    this.taker = taker;
    this.outcomes = outcomes;
    this.onTaken = onTaken;
  }

  /** Delivers a reply to the service in a separate update, which also removes the call. */
  void take(CallTable.Task task) {
    StoredCall call = StoredCall.decode(task.call());
    StoredReply reply = StoredReply.decode(task.reply());
    String key = call.resource().isEmpty() ? null : call.resource();
    RuntimeException[] thrown = new RuntimeException[1];
    updates.run(
        key,
        transaction -> {
          thrown[0] = null;
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.REPLIES + task.id()) == null) {
            return false;
          }
          transaction.remove(Keys.CALLS + task.id());
          transaction.remove(Keys.REPLIES + task.id());
          if (key != null && transaction.object() == null) {
            LOG.info("The reply to the call {} is discarded: the resource {} no longer exists.", call.messageId(), key);
          } else {
            try {
              deliver(transaction, call, reply);
            } catch (OccupiedResourceException e) {
              // The service has been stopped at this replica: it has not failed to take the reply.
              throw e;
            } catch (RuntimeException | Error e) {
              thrown[0] =
                  new IllegalStateException("The service failed to take the reply to the call " + call.messageId() + ".", e);
              throw thrown[0];
            }
          }
          return true;
        },
        () -> thread.execute(
            () -> {
              task.finished();
              onTaken.run();
            }),
        failure -> thread.execute(task, () -> notTaken(task, thrown[0], failure)));
  }

  private void deliver(ResourceTransaction transaction, StoredCall call, StoredReply reply) {
    taker.replied(
        transaction,
        new OutgoingReply(
            call.messageId(), call.tag(), reply.kind(), reply.body().length == 0 ? null : AnswerReader.element(reply.body()),
            reply.reason()));
  }

  private void notTaken(CallTable.Task task, RuntimeException thrown, Failure failure) {
    if (!task.isCurrent()) {
      return;
    }
    if (thrown != null && task.attempts() + 1 >= MAX_TAKES) {
      outcomes.makeDeadLetter(
          task, "The service failed " + MAX_TAKES + " times to take the reply: " + thrown.getCause(), Outcomes.SessionChange.NONE);
    } else if (failure.code().isTerminal()) {
      outcomes.makeDeadLetter(
          task, "The update in which the service takes the reply is refused: " + failure.sentence(), Outcomes.SessionChange.NONE);
    } else {
      task.failed(System.nanoTime(), thrown != null, 0);
    }
  }
}
