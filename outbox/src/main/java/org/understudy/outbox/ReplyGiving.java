package org.understudy.outbox;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.replication.core.Failure;
import org.understudy.soap.xml.Elements;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Gives stored replies to the service. Thread-safe; nothing here waits. */
final class ReplyGiving {
  private static final Logger LOG = LoggerFactory.getLogger(ReplyGiving.class);
  /** Failures of the service to take a reply, after which the call is a dead letter. */
  private static final int MAX_TAKES = 10;

  private final InternalUpdates takes;
  private final OutboxThread thread;
  private final ReplyTaker taker;
  private final Outcomes outcomes;
  private final Runnable next;

  /** @param next runs on the thread when a reply is taken */
  ReplyGiving(InternalUpdates takes, OutboxThread thread, ReplyTaker taker, Outcomes outcomes, Runnable next) {
    this.takes = takes;
    this.thread = thread;
    this.taker = taker;
    this.outcomes = outcomes;
    this.next = next;
  }

  /** Gives a reply to the service, in an update of its own that ends the call. */
  void take(CallTable.Task task) {
    StoredCall call = StoredCall.decode(task.call());
    StoredReply reply = StoredReply.decode(task.reply());
    String key = call.resource().isEmpty() ? null : call.resource();
    RuntimeException[] thrown = new RuntimeException[1];
    takes.run(
        key,
        transaction -> {
          thrown[0] = null;
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.REPLIES + task.id()) == null) {
            return false;
          }
          transaction.remove(Keys.CALLS + task.id());
          transaction.remove(Keys.REPLIES + task.id());
          if (key != null && transaction.object() == null) {
            LOG.info("The reply to the call {} is discarded: the resource {} does not exist any more.", call.messageId(), key);
          } else {
            try {
              give(transaction, call, reply);
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
              next.run();
            }),
        failure -> thread.execute(() -> notTaken(task, thrown[0], failure)));
  }

  private void give(ResourceTransaction transaction, StoredCall call, StoredReply reply) {
    taker.replied(
        transaction,
        new OutgoingReply(
            call.messageId(), call.tag(), reply.kind(), reply.body().length == 0 ? null : Elements.read(reply.body()),
            reply.reason()));
  }

  private void notTaken(CallTable.Task task, RuntimeException thrown, Failure failure) {
    if (!task.isCurrent()) {
      return;
    }
    if (thrown != null && task.attempts() + 1 >= MAX_TAKES) {
      outcomes.bury(
          task, "The service failed " + MAX_TAKES + " times to take the reply: " + thrown.getCause(), Outcomes.SessionChange.NONE);
    } else if (failure.code().isTerminal()) {
      outcomes.bury(task, "The update in which the service takes the reply is refused: " + failure.sentence(), Outcomes.SessionChange.NONE);
    } else {
      task.failed(System.nanoTime(), thrown != null, 0);
    }
  }
}
