package org.understudy.outbox;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.understudy.replication.api.OutgoingReply;
import org.understudy.wsrf.resource.InternalUpdates;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Lists dead letters, and retries or drops them for an operator. Thread-safe. */
public final class DeadLetters {
  private final CallTable table;
  private final InternalUpdates updates;
  private final boolean takesReplies;

  /** @param takesReplies whether the service takes replies */
  DeadLetters(CallTable table, InternalUpdates updates, boolean takesReplies) {
    this.table = table;
    this.updates = updates;
    this.takesReplies = takesReplies;
  }

  /** The dead letters, in the order of the calls. */
  public List<DeadCall> list() {
    return List.copyOf(table.deadLetters().values());
  }

  /**
   * Sends a dead letter again, after the calls that wait. If it is answered, delivers its reply to the service again. The call keeps
   * its message id, but not its old place: a group that may have executed the call now under way would otherwise receive two calls
   * under one number.
   *
   * @return completes when the decision is stable; fails with an {@link IllegalStateException}, for example when this replica executes no
   *     updates, or another operator has decided meanwhile
   * @throws IllegalArgumentException when there is no such dead letter
   */
  public CompletableFuture<Void> retry(String messageId) {
    String id = deadLetter(messageId);
    return decide(
        id,
        transaction -> {
          byte[] call = transaction.state(Keys.CALLS + id);
          if (call == null) {
            return false;
          }
          transaction.remove(Keys.DEAD + id);
          if (transaction.state(Keys.REPLIES + id) == null) {
            transaction.remove(Keys.CALLS + id);
            transaction.append(Keys.LOG, call);
          }
          return true;
        });
  }

  /**
   * Ends a dead letter for good. The service receives {@link OutgoingReply.Kind#DROPPED}, unless it failed to take the answer.
   *
   * @return see {@link #retry}
   * @throws IllegalArgumentException when there is no such dead letter
   */
  public CompletableFuture<Void> drop(String messageId) {
    String id = deadLetter(messageId);
    return decide(
        id,
        transaction -> {
          DeadLetter dead = DeadLetter.decode(transaction.state(Keys.DEAD + id));
          transaction.remove(Keys.DEAD + id);
          if (!takesReplies || transaction.state(Keys.REPLIES + id) != null) {
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
    AtomicBoolean found = new AtomicBoolean();
    updates.run(
        null,
        transaction -> {
          found.set(transaction.state(Keys.DEAD + id) != null && update.test(transaction));
          return found.get();
        },
        () -> {
          if (found.get()) {
            decided.complete(null);
          } else {
            decided.completeExceptionally(
                new IllegalStateException("The dead letter has been retried or dropped meanwhile. List the dead letters again."));
          }
        },
        failure -> decided.completeExceptionally(new IllegalStateException(failure.sentence())));
    return decided;
  }
}
