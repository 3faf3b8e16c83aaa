package org.understudy.container.resource;

import java.util.List;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.Executions;

/**
 * One execution that a replica has permitted, on its visit: whatever happens, the replica hears of the end once, what does
 * not stand is undone before another visit sees it, and the resource is free again. Belongs to one request; no threads, no
 * waiting.
 */
public final class Execution implements AutoCloseable {
  private final Executions replica;
  private final long token;
  private final boolean objects;
  /** Null until the visit is in. */
  private Visit visit;
  private List<StateChange> changes = List.of();
  private boolean ended;

  /** @param objects whether the states of the service's objects are captured, as for {@link Visit#capture} */
  public Execution(Executions replica, long token, boolean objects) {
    this.replica = replica;
    this.token = token;
    this.objects = objects;
  }

  /** Its visit is in; from now on this leaves it. */
  public void entered(Visit visit) {
    this.visit = visit;
  }

  /**
   * The method has returned: captures what it changed, and makes what it created visible.
   *
   * @throws RuntimeException when a state cannot be captured; then the execution fails
   */
  public void capture() {
    if (!visit.isRead()) {
      changes = visit.capture(objects);
      visit.keep();
    }
  }

  /** Hands the outcome to the replica; of a failure, no changes. What does not stand is undone. */
  public void end(Outcome outcome) {
    boolean stands = replica.executed(token, outcome, outcome instanceof Failure ? List.of() : changes);
    // Not before: where memory ran out on the way to the replica, what the method changed must not stay.
    ended = true;
    if (!stands && visit != null) {
      visit.discard();
    }
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Gives the permission back, unless there was an outcome, undoes what was done, and frees the resource. */
  @Override
  public void close() {
    try {
      if (!ended) {
        if (visit != null) {
          visit.discard();
        }
        replica.abandoned(token);
      }
    } finally {
      if (visit != null) {
        visit.leave();
      }
    }
  }
}
