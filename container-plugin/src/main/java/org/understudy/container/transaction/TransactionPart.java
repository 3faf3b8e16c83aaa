package org.understudy.container.transaction;

import java.util.List;
import java.util.Map;
import org.understudy.container.execution.KeyScope;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.TransactionalState;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.core.update.StateChange;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.ServiceHome;

/** One resource in a transaction, locked until the transaction ends. Used by one thread at a time. */
final class TransactionPart {
  /**
   * The service of a resource.
   *
   * @param objects whether the states of its objects are captured
   */
  record Place(ServiceHome home, KeyScope scope, boolean objects) {}

  private final Place place;
  private final ResourceTransaction resource;
  /** Null for a state without transactions of its own. */
  private TransactionalState durable;
  private StateCapture object;
  /** The state at the beginning, where the replica keeps none to restore it from; null elsewhere. */
  private byte[] before;
  private boolean changed;

  TransactionPart(Place place, ResourceTransaction resource) {
    this.place = place;
    this.resource = resource;
  }

  /**
   * Begins with the resource, which is locked and loaded.
   *
   * @throws RuntimeException when its state cannot be captured, so that it could not be undone
   */
  void begin(String transaction) {
    object = resource.object();
    if (object == null) {
      return;
    }
    if (!resource.isRestored()) {
      before = object.captureState();
    }
    if (resource.target() instanceof TransactionalState own) {
      own.startTransaction(transaction);
      durable = own;
    }
  }

  boolean isOf(ServiceHome home, String key) {
    return place.home() == home && (key == null ? resource.key() == null : key.equals(resource.key()));
  }

  ResourceTransaction resource() {
    return resource;
  }

  void enter(String transaction) {
    if (durable != null) {
      durable.enter(transaction);
    }
  }

  /** An operation on the resource has ended. */
  void leave(boolean update) {
    changed |= update;
    if (durable != null) {
      durable.leave();
    }
  }

  Map<String, Long> versions() {
    return resource.versions();
  }

  /** Why the transaction cannot commit what this part has changed; null if it can. */
  String obstacle() {
    if (!resource.isCurrent()) {
      return "this replica was not the primary all the time";
    }
    if (resource.isDiscarded()) {
      return "one of its operations was undone";
    }
    Branch branch = resource.branch();
    return branch != null && branch.isAborted() ? "the database ended its part, for example because of a deadlock" : null;
  }

  /**
   * Adds what the transaction has changed, and the versions that it has read.
   *
   * @throws RuntimeException when the state cannot be captured or completed
   */
  void capture(String transaction, Map<String, Long> versions, List<StateChange> changes) {
    place.home().bind(resource);
    try {
      if (durable != null) {
        durable.commitTransaction(transaction);
        durable = null;
      }
      if (changed) {
        changes.addAll(place.scope().changes(resource.capture(place.objects())));
      }
      versions.putAll(place.scope().versions(resource.versions()));
    } finally {
      place.home().unbind();
    }
  }

  /** Whether it has changed what {@link #capture} cannot show: without replication, objects exist only in this JVM. */
  boolean hidesChanges() {
    return changed && !place.objects() && !resource.isRestored();
  }

  Branch branch() {
    return resource.branch();
  }

  /** The key that every operation on the resource reads. Not for a call without a resource. */
  StateChange lock() {
    return place.scope().changes(List.of(new StateChange(resource.key(), null))).get(0);
  }

  void commit() {
    try {
      if (changed) {
        resource.commit();
      }
    } finally {
      resource.release();
    }
  }

  /** Undoes the part of the database. May block. */
  void rollBackBranch() {
    Branch branch = resource.branch();
    if (branch != null) {
      branch.rollback();
    }
  }

  /** Undoes everything but the part of the database, which has ended, and unlocks the resource. */
  void rollBack(String transaction) {
    try {
      resource.branchEnded();
      if (durable != null) {
        durable.leave();
        durable.abortTransaction(transaction);
        durable = null;
      }
      if (before != null) {
        object.restoreState(before);
      }
    } finally {
      try {
        resource.rollBack();
      } finally {
        resource.release();
      }
    }
  }
}
