package org.understudy.outbox;

import java.util.function.Consumer;
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

  /** What happens to the session of a call when its outcome is stored: part of the same update. */
  @FunctionalInterface
  interface SessionChange {
    /** For a call without session. */
    SessionChange NONE = transaction -> {};

    void apply(ResourceTransaction transaction);

    /** The next call of the session gets the next number. */
    static SessionChange advance(String destination, GroupSession used) {
      return transaction -> {
        if (isStored(transaction, destination, used)) {
          transaction.put(Keys.session(destination), used.advanced().encode());
        }
      };
    }

    /** No call is sent in the session any more. */
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

  /** Stores a new session, and lets the call be sent in it. */
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

  /** Removes a session that has expired at the group, and lets the call be sent in another one after a pause. */
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

  /** Removes a session that is not used. */
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

  /** Stores an answer; without a service that takes it, the call is over. */
  void keep(CallTable.Task task, StoredReply reply, SessionChange change) {
    byte[] encoded = reply.encode();
    store(
        task,
        transaction -> {
          if (transaction.state(Keys.CALLS + task.id()) == null || transaction.state(Keys.REPLIES + task.id()) != null) {
            return false;
          }
          change.apply(transaction);
          if (!taken) {
            transaction.remove(Keys.CALLS + task.id());
          } else {
            transaction.put(Keys.REPLIES + task.id(), encoded);
          }
          return true;
        },
        task::finished,
        failure -> bury(task, "The call was answered, and the answer cannot be stored: " + failure.sentence(), change));
  }

  /** Makes the call a dead letter. */
  void bury(CallTable.Task task, String reason, SessionChange change) {
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
   * Stores what came of a task, until that has succeeded or the duty is another's.
   *
   * @param refused takes a failure that no retry can mend; null: it is retried all the same
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
              next.run();
            }),
        failure -> {
          LOG.debug("The outcome of the call {} was not stored: {}", task.id(), failure.sentence());
          if (failure.code().isTerminal() && refused != null) {
            thread.execute(() -> refused.accept(failure));
          } else {
            thread.later(() -> store(task, update, stored, refused), STORE_AGAIN_MS);
          }
        });
  }
}
