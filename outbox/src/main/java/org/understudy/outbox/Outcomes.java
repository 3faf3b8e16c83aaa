package org.understudy.outbox;

import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.Failure;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Stores what came of calls in the replicated state. Thread-safe; nothing here waits. */
final class Outcomes {
  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);
  private static final long STORE_AGAIN_MS = 200;

  private final InternalUpdates updates;
  private final OutboxThread thread;
  private final boolean taken;
  private final Runnable next;

  /**
   * @param taken whether the service takes replies
   * @param next runs on the thread when an outcome is stored
   */
  Outcomes(InternalUpdates updates, OutboxThread thread, boolean taken, Runnable next) {
    this.updates = updates;
    this.thread = thread;
    this.taken = taken;
    this.next = next;
  }

  /** Stores an answer; without a service that takes it, the call is over. */
  void keep(CallTable.Task task, StoredReply reply) {
    byte[] encoded = reply.encode();
    store(
        task,
        transaction -> {
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.REPLIES + task.id()) != null) {
            return false;
          }
          if (!taken) {
            transaction.remove(Keys.CALLS + task.id());
          } else {
            transaction.put(Keys.REPLIES + task.id(), encoded);
          }
          return true;
        });
  }

  /** Makes the call a dead letter. */
  void bury(CallTable.Task task, String reason) {
    byte[] dead = new DeadLetter(task.attempts() + 1, reason).encode();
    LOG.warn(
        "The call {} to {} is a dead letter: {} Retry or drop it through JMX (type=OutgoingCalls).",
        StoredCall.decode(task.call()).messageId(), task.destination(), reason);
    store(
        task,
        transaction -> {
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.DEAD + task.id()) != null) {
            return false;
          }
          transaction.put(Keys.DEAD + task.id(), dead);
          return true;
        });
  }

  /** Stores what came of a task, until that has succeeded or the duty is another's. */
  private void store(CallTable.Task task, Predicate<ResourceTransaction> update) {
    if (!task.isCurrent()) {
      return;
    }
    updates.run(
        null,
        update,
        () -> thread.execute(
            () -> {
              task.finished();
              next.run();
            }),
        failure -> {
          LOG.debug("The outcome of the call {} was not stored: {}", task.id(), failure.sentence());
          if (failure.code().isTerminal()) {
            thread.execute(() -> buryUnstorable(task, failure));
          } else {
            thread.later(() -> store(task, update), STORE_AGAIN_MS);
          }
        });
  }

  private void buryUnstorable(CallTable.Task task, Failure failure) {
    bury(task, "The call was answered, and the answer cannot be stored: " + failure.sentence());
  }
}
