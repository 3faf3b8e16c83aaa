package org.understudy.container.service;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.state.StateModel;
import org.understudy.thread.DaemonThreads;

/**
 * Halts this replica when it receives a state that it cannot restore, because another version of the service captured it. As the
 * primary it would refuse every request, while the others can serve.
 */
final class ShapeWatch implements StateListener {
  private final Class<?> type;
  private final StateModel model;
  private final Consumer<String> halt;
  private final AtomicBoolean halted = new AtomicBoolean();

  /** @param halt halts the replica, for a reason that is the end of a sentence */
  ShapeWatch(Class<?> type, StateModel model, Consumer<String> halt) {
    this.type = type;
    this.model = model;
    this.halt = halt;
  }

  /** The keys of the service's own resources have no slash. */
  @Override
  public boolean follows(String key) {
    return key.indexOf('/') < 0;
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (state != null && follows(key) && !model.hasShape(state) && halted.compareAndSet(false, true)) {
      String found = StateModel.shapeOf(state);
      // On another thread, because this one holds the replica's lock.
      DaemonThreads.daemon("understudy-shape", () -> halt.accept(reason(key, found))).start();
    }
  }

  private String reason(String key, String found) {
    return "it cannot take over the resource " + key + " of " + type.getName() + ": its state was captured with other fields or types. "
        + "The state has the shape " + found + ", this replica " + model.fingerprint() + ". Deploy the same version and settings of "
        + "the service on all replicas; a changed shape needs a stop of all";
  }

  @Override
  public void onReset() {
    // Nothing to reset.
  }
}
