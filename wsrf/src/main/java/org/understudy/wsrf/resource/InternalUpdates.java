package org.understudy.wsrf.resource;

import java.util.function.Consumer;
import java.util.function.Predicate;
import org.understudy.replication.core.Failure;

/**
 * Updates that no client requested: the end of a lifetime, a checkpoint. They are ordered, replicated and executed like a
 * client's. Thread-safe.
 */
@FunctionalInterface
public interface InternalUpdates {
  /**
   * Executes an update here, if this replica may. Returns at once; may be called by any thread, also within the replica's
   * exclusion.
   *
   * @param key of the resource that is visited; null for none, when only keys are changed that no other update writes
   * @param update what is done, on the thread of these updates; must not block. Returns false when it finds nothing to
   *     change. What it throws undoes it
   * @param done the update is stable, or there was nothing to change
   * @param failed nothing was changed, or the failure's code states that this is unknown. Of this and {@code done} exactly
   *     one is called, by any thread, and must not block
   */
  void run(String key, Predicate<ResourceTransaction> update, Runnable done, Consumer<Failure> failed);
}
