package org.understudy.container.transaction;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Function;
import org.understudy.notification.operation.ResourceIds;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.transaction.CoordinatorLife;
import org.understudy.replication.core.update.StateChange;

/**
 * Gives out the ids of transactions in the life of this group as a coordinator: a missing decision is an abort only of a transaction that
 * was begun in it. It is drawn before the first transaction, and stable before that has an id. Thread-safe; does not block.
 */
final class GroupLife {
  private static final int NAME_DIGITS = 16;

  /** The ids of transactions that are begun here. */
  private final String ids;
  private final TransactionTable table;
  private final Function<StateChange, CompletableFuture<Failure>> update;
  /** Guarded by this; null before the first. */
  private CompletableFuture<Failure> drawing;

  /**
   * @param ids the beginning of the ids of transactions that are begun here
   * @param table that follows the group's state
   * @param update as {@link OwnRequests#update}
   */
  GroupLife(String ids, TransactionTable table, Function<StateChange, CompletableFuture<Failure>> update) {
    this.ids = ids;
    this.table = table;
    this.update = update;
  }

  /** The kind of its key, which costs no client a share. */
  static KeyKind kind() {
    return KeyKind.common(TransactionTable.LIFE.substring(0, TransactionTable.LIFE.indexOf('/') + 1));
  }

  /**
   * Hands over a new id in the present life, which a linearizable read makes sure is stable. Draws a life if there is none.
   *
   * @param later takes what follows then
   * @param then receives null when no life could be stored
   */
  void next(Executor later, Consumer<String> then) {
    String id = nextId();
    if (id != null) {
      then.accept(id);
    } else {
      draw().thenAccept(failure -> later.execute(() -> then.accept(nextId())));
    }
  }

  /** Null when there is no life. */
  private String nextId() {
    CoordinatorLife present = table.life();
    return present == null ? null : present.id(ids, table.mark() + TransactionTable.MARK_END + ResourceIds.next());
  }

  /** Draws a life unless there is one. Completes with null when that is stable, with the reason otherwise. */
  private synchronized CompletableFuture<Failure> draw() {
    if (table.life() != null) {
      return CompletableFuture.completedFuture(null);
    }
    if (drawing == null || drawing.isDone()) {
      String name = ResourceIds.next().substring(0, NAME_DIGITS);
      drawing = update.apply(new StateChange(TransactionTable.LIFE, table.nextLife(name).state()));
    }
    return drawing;
  }
}
