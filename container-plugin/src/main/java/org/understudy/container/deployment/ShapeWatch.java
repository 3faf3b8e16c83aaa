package org.understudy.container.deployment;

import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.StateListener;
import org.understudy.state.StateModel;
import org.understudy.thread.DaemonThreads;

/**
 * Reports once that this replica receives states which it cannot restore, because another version of the service captured them. So the
 * operator learns of it before this replica becomes the primary.
 */
final class ShapeWatch implements StateListener {
  private static final Logger LOG = LoggerFactory.getLogger(ShapeWatch.class);

  private final Class<?> type;
  private final StateModel model;
  private final AtomicBoolean reported = new AtomicBoolean();

  ShapeWatch(Class<?> type, StateModel model) {
    this.type = type;
    this.model = model;
  }

  /** The keys of the service's own resources have no slash. */
  @Override
  public boolean follows(String key) {
    return key.indexOf('/') < 0;
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (state != null && follows(key) && !model.hasShape(state) && reported.compareAndSet(false, true)) {
      String found = StateModel.shapeOf(state);
      // On another thread, because this one holds the replica's lock.
      DaemonThreads.daemon("understudy-shape", () -> report(key, found)).start();
    }
  }

  private void report(String key, String found) {
    LOG.error(
        "This replica cannot take over the resource {}: its state was captured with other fields or types of {}. The state has the "
            + "shape {}, this replica {}. Deploy the same version and settings of the service on all replicas.",
        key, type.getName(), found, model.fingerprint());
  }

  @Override
  public void onReset() {
    // Nothing to reset.
  }
}
