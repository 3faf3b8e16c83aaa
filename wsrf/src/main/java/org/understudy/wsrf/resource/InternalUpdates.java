package org.understudy.wsrf.resource;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.understudy.replication.core.request.Failure;

/**
 * Submits updates that no client requested, such as the end of a lifetime or a checkpoint. They are ordered, replicated and
 * executed like a client's. Thread-safe.
 */
@FunctionalInterface
public interface InternalUpdates {
  /**
   * Executes an update at this replica, if the replica may execute updates. Returns at once. Any thread may call it, also
   * while it holds the replica's lock.
   *
   * @param key of the transaction's resource; null for none, when the update changes only keys that no other update writes
   * @param update runs on the thread of these updates; must not block. Returns false when there is nothing to change; an
   *     exception rolls it back
   * @param done called when the update is stable, or when there was nothing to change
   * @param failed called when nothing was changed, or when the outcome is unknown, as the failure's code states. Exactly one
   *     of this and {@code done} is called, by any thread, and must not block
   */
  void run(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed);
}
