package org.understudy.outbox;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.core.request.Failure;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Stores the outcomes of calls in the replicated state. Thread-safe; no method blocks. */
final class Outcomes {
  private static final Logger LOG = LoggerFactory.getLogger(Outcomes.class);
  private static final long RETRY_MS = 200;

  private final InternalUpdates updates;
  private final OutboxThread thread;
  private final boolean takesReplies;
  private final Runnable onStored;

  /**
   * @param takesReplies whether the service takes replies
   * @param onStored runs on the outbox thread after an outcome is stored
   */
  Outcomes(InternalUpdates updates, OutboxThread thread, boolean takesReplies, Runnable onStored) {
    this.updates = updates;
    this.thread = thread;
    this.takesReplies = takesReplies;
    this.onStored = onStored;
  }

  /** The change to the session of a call, in the update that stores the outcome of the call. */
  @FunctionalInterface
  interface SessionChange {
    /** For a call without session. */
    SessionChange NONE = transaction -> {};

    void apply(ResourceTransaction transaction);

    /** Gives the next call of the session the next sequence number. */
    static SessionChange advance(String destination, GroupSession used) {
      return transaction -> {
        if (isStored(transaction, destination, used)) {
          transaction.put(Keys.session(destination), used.advanced().encode());
        }
      };
    }

    /** Removes the session, so that no further call is sent in it. */
    static SessionChange remove(String destination, GroupSession used) {
      return transaction -> {
        if (isStored(transaction, destination, used)) {
          transaction.remove(Keys.session(destination));
        }
      };
    }

    private static boolean isStored(ResourceTransaction transaction, String destination, GroupSession used) {
      byte[] stored = transaction.state(Keys.session(destination));
      return stored != null && GroupSession.decode(stored).equals(used);
    }
  }

  /** Stores a new session and then sends the call in it. */
  void keepSession(CallTable.Task task, GroupSession session) {
    byte[] encoded = session.encode();
    String key = Keys.session(task.destination());
    store(
        task,
        transaction -> {
          if (transaction.state(key) != null) {
            return false;
          }
          transaction.put(key, encoded);
          return true;
        },
        task::proceed,
        null);
  }

  /** Removes a session that has expired at the group. After a pause the call is sent in a new session. */
  void dropSession(CallTable.Task task, GroupSession expired) {
    String key = Keys.session(task.destination());
    store(
        task,
        transaction -> {
          SessionChange.remove(task.destination(), expired).apply(transaction);
          return transaction.state(key) == null;
        },
        () -> task.failed(System.nanoTime(), true, 0),
        null);
  }

  /** Removes an unused session. */
  void removeSession(String key, Runnable failed) {
    updates.run(
        null,
        transaction -> {
          if (transaction.state(key) == null) {
            return false;
          }
          transaction.remove(key);
          return true;
        },
        () -> LOG.debug("The unused session under {} is removed.", key),
        failure -> failed.run());
  }

  /** Stores an answer. Removes the call at once when the service takes no replies. */
  void keep(CallTable.Task task, StoredReply reply, SessionChange change) {
    byte[] encoded = reply.encode();
    store(
        task,
        transaction -> {
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.REPLIES + task.id()) != null) {
            return false;
          }
          change.apply(transaction);
          if (!takesReplies) {
            transaction.remove(Keys.CALLS + task.id());
          } else {
            transaction.put(Keys.REPLIES + task.id(), encoded);
          }
          return true;
        },
        task::finished,
        failure -> makeDeadLetter(task, "The call was answered, and the answer cannot be stored: " + failure.sentence(), change));
  }

  /** Makes the call a dead letter. */
  void makeDeadLetter(CallTable.Task task, String reason, SessionChange change) {
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
          change.apply(transaction);
          transaction.put(Keys.DEAD + task.id(), dead);
          return true;
        },
        task::finished,
        null);
  }

  /**
   * Stores the outcome of a task. Retries until that succeeds or the task is cancelled.
   *
   * @param refused receives a terminal failure; null: terminal failures are retried too
   */
  private void store(
      CallTable.Task task, Predicate<ResourceTransaction> update, Runnable stored, Consumer<Failure> refused) {
    if (!task.isCurrent()) {
      return;
    }
    updates.run(
        null,
        update,
        () -> thread.execute(
            () -> {
              stored.run();
              onStored.run();
            }),
        failure -> {
          LOG.debug("The outcome of the call {} was not stored: {}", task.id(), failure.sentence());
          if (failure.code().isTerminal() && refused != null) {
            thread.execute(() -> refused.accept(failure));
          } else {
            thread.later(() -> store(task, update, stored, refused), RETRY_MS);
          }
        });
  }
}
