package org.understudy.container.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.understudy.notification.operation.ResourceIds;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.transaction.CoordinatorLife;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;

/**
 * The life of this group as a coordinator: a missing decision is an abort only of a transaction that was begun in it. It is drawn before
 * the first transaction, and stable before that has an id. Thread-safe; does not block.
 */
final class GroupLife {
  private static final String PREFIX = "coordinator/";
  static final String KEY = PREFIX + "life";
  private static final int NAME_DIGITS = 16;
  /** Between the mark of a transaction's beginning and the end of its id. Earlier versions write no mark. */
  private static final char MARK_END = '.';

  private final Group group;
  /** The ids of transactions that are begun here. */
  private final String ids;
  private final CommittedTransactions committed;
  /** Guarded by this; null before the first. */
  private CompletableFuture<Failure> drawing;

  /** What a replica knows of its group. */
  interface Group {
    /** The replicated state under {@link #KEY}; null for none. */
    byte[] life();

    /** Of the present view. */
    long epoch();

    /** As {@link OwnRequests#update}. */
    CompletableFuture<Failure> update(StateChange change);
  }

  /**
   * @param ids the beginning of the ids of transactions that are begun here
   * @param committed those that the state knows
   */
  GroupLife(Group group, String ids, CommittedTransactions committed) {
    this.group = group;
    this.ids = ids;
    this.committed = committed;
  }

  static GroupLife of(Replica replica, String ids, CommittedTransactions committed) {
    OwnRequests requests = new OwnRequests(replica);
    Group group =
        new Group() {
          @Override
          public byte[] life() {
            return replica.state(KEY);
          }

          @Override
          public long epoch() {
            return replica.view().epoch();
          }

          @Override
          public CompletableFuture<Failure> update(StateChange change) {
            return requests.update(change);
          }
        };
    return new GroupLife(group, ids, committed);
  }

  /** The kind of its key, which costs no client a share. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  /**
   * Hands over a new id in the present life, which a linearizable read makes sure is stable. Draws a life if there is none.
   *
   * @param later takes what follows then
   * @param then receives null when no life could be stored
   */
  void next(Executor later, Consumer<String> then) {
    if (present() != null) {
      then.accept(nextId());
    } else {
      draw().thenAccept(failure -> later.execute(() -> then.accept(nextId())));
    }
  }

  private String nextId() {
    CoordinatorLife present = present();
    return present == null ? null : present.id(ids, committed.mark() + MARK_END + ResourceIds.next());
  }

  private CoordinatorLife present() {
    byte[] state = group.life();
    CoordinatorLife found = state == null ? null : CoordinatorLife.read(state);
    return found != null && found.lastsAt(group.epoch()) ? found : null;
  }

  /** Draws a life unless there is one. Completes with null when that is stable, with the reason otherwise. */
  private synchronized CompletableFuture<Failure> draw() {
    if (present() != null) {
      return CompletableFuture.completedFuture(null);
    }
    if (drawing == null || drawing.isDone()) {
      // What earlier versions have begun is of this memory if it knows one of their commits.
      boolean unnamed = group.life() == null && committed.hasAny();
      String name = ResourceIds.next().substring(0, NAME_DIGITS);
      drawing = group.update(new StateChange(KEY, new CoordinatorLife(name, group.epoch(), unnamed).state()));
    }
    return drawing;
  }

  /** Whether a transaction was begun in the present life. To be called within a linearizable read. */
  boolean includes(String id) {
    CoordinatorLife present = present();
    if (present == null) {
      return group.life() == null && !CoordinatorLife.isNamed(id) && committed.hasAny();
    }
    return present.includes(id);
  }

  /** Whether a transaction was begun at this group, which may have committed it and lost that. To be called within a linearizable read. */
  boolean hasLost(String id) {
    return id.startsWith(ids) && !includes(id);
  }

  /** Whether a transaction was begun at this group so long ago that its commit may be forgotten. */
  private boolean hasForgotten(String id) {
    return id.startsWith(ids) && committed.mayHaveForgotten(mark(id));
  }

  /** Null for none. */
  private static String mark(String id) {
    String unique = CoordinatorLife.unique(id);
    int end = unique.indexOf(MARK_END);
    return end < 0 ? null : unique.substring(0, end);
  }

  /** Whether this group may have committed a transaction that it does not know. To be called within a linearizable read. */
  boolean mayHaveCommitted(String id) {
    return hasLost(id) || hasForgotten(id);
  }

  /** The answer to a client that names a transaction without an open part here. */
  RefusedCallException unknown(String id) {
    if (hasLost(id)) {
      return lost(id);
    }
    return hasForgotten(id)
        ? OpenTransaction.refused(
            FailureCode.TransactionOutcomeUnknown,
            "The transaction " + id + " has ended, and " + CommittedTransactions.MAX + " others were committed since it was begun. The "
                + "group does not know any more whether it was committed. Nothing was executed now. Look at what it has changed before you "
                + "begin it again.")
        : OpenTransaction.refused(
            FailureCode.TransactionAborted,
            "The transaction " + id + " is unknown at the primary: it has ended, or an earlier primary failed or lost its role. What was "
                + "not committed is undone. Begin another transaction.");
  }

  /** The answer to a client that names a lost transaction. */
  static RefusedCallException lost(String id) {
    return OpenTransaction.refused(
        FailureCode.TransactionOutcomeUnknown,
        "The group that began the transaction " + id + " does not know any more whether it was committed, for example because it has lost "
            + "its memory since. Nothing was executed now. Look at what it has changed in the other groups before you begin it again.");
  }
}
