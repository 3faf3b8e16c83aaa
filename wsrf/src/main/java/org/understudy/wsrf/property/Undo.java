package org.understudy.wsrf.property;

import org.understudy.replication.api.StateCapture;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Keeps the state of a resource before a change that may fail half-way. Without replication there is no other copy. */
final class Undo {
  private final StateCapture object;
  private final byte[] before;

  Undo(ResourceTransaction transaction) {
    object = transaction.object();
    before = object == null ? null : object.captureState();
  }

  void run() {
    if (object != null) {
      object.restoreState(before);
    }
  }
}
