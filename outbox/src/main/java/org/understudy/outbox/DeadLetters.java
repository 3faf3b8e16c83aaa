package org.understudy.outbox;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/** The dead letters, and what an operator decides about them. Thread-safe. */
public final class DeadLetters {
  private final CallTable table;
  private final InternalUpdates updates;
  private final boolean taken;

  /** @param taken whether the service takes replies */
  DeadLetters(CallTable table, InternalUpdates updates, boolean taken) {
    this.table = table;
    this.updates = updates;
    this.taken = taken;
  }

  /** The dead letters, in the order of the calls. */
  public List<DeadCall> list() {
    return List.copyOf(table.deadLetters().values());
  }

  /**
   * Lets a dead letter be sent again, before the calls that wait; or, if it is answered, gives its reply to the service again.
   *
   * @return completes when that is stable; or fails with an {@link IllegalStateException}, for one because this replica executes
   *     no updates
   * @throws IllegalArgumentException when there is no such dead letter
   */
  public CompletableFuture<Void> retry(String messageId) {
    String id = deadLetter(messageId);
    return decide(
        id,
        transaction -> {
          transaction.remove(Keys.DEAD + id);
          return true;
        });
  }

  /**
   * Ends a dead letter for good. The service receives {@link OutgoingReply.Kind#DROPPED}, unless it failed to take the answer.
   *
   * @return as of {@link #retry}
   * @throws IllegalArgumentException when there is no such dead letter
   */
  public CompletableFuture<Void> drop(String messageId) {
    String id = deadLetter(messageId);
    return decide(
        id,
        transaction -> {
          DeadLetter dead = DeadLetter.decode(transaction.state(Keys.DEAD + id));
          transaction.remove(Keys.DEAD + id);
          if (!taken || transaction.state(Keys.REPLIES + id) != null) {
            transaction.remove(Keys.CALLS + id);
            transaction.remove(Keys.REPLIES + id);
          } else {
            transaction.put(
                Keys.REPLIES + id, new StoredReply(OutgoingReply.Kind.DROPPED, new byte[0], dead.reason()).encode());
          }
          return true;
        });
  }

  private String deadLetter(String messageId) {
    for (Map.Entry<String, DeadCall> dead : table.deadLetters().entrySet()) {
      if (dead.getValue().messageId().equals(messageId)) {
        return dead.getKey();
      }
    }
    throw new IllegalArgumentException("There is no dead letter with the message id " + messageId + ".");
  }

  private CompletableFuture<Void> decide(String id, Predicate<ResourceTransaction> update) {
    CompletableFuture<Void> decided = new CompletableFuture<>();
    updates.run(
        null,
        transaction -> transaction.state(Keys.DEAD + id) != null && update.test(transaction),
        () -> decided.complete(null),
        failure -> decided.completeExceptionally(new IllegalStateException(failure.sentence())));
    return decided;
  }
}
