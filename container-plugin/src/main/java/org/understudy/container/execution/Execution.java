package org.understudy.container.execution;

import java.util.List;
import java.util.Map;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.runtime.Executions;
import org.understudy.replication.runtime.Proposal;
import org.understudy.wsrf.resource.ResourceTransaction;

/**
 * One execution that a replica has permitted, in its transaction. In every case it reports its end to the replica once, undoes
 * a rejected update before another transaction sees it, and releases the resource. From its end until the strategy has
 * decided, its changes are invisible to others. Belongs to one request; starts no thread and does not block.
 */
public final class Execution implements Proposal, AutoCloseable {
  private final Executions replica;
  private final long token;
  private final boolean objects;
  /** Null until the visit is in. */
  private ResourceTransaction visit;
  private List<StateChange> changes = List.of();
  private boolean ended;
  /** Guarded by this: the visit is kept or discarded, and over. */
  private boolean over;

  /** @param objects whether the states of the service's objects are captured, as for {@link ResourceTransaction#capture} */
  public Execution(Executions replica, long token, boolean objects) {
    this.replica = replica;
    this.token = token;
    this.objects = objects;
  }

  /** Its visit is in; from now on this leaves it. */
  public void entered(ResourceTransaction visit) {
    this.visit = visit;
  }

  /**
   * The method has returned: captures what it changed.
   *
   * @throws RuntimeException when a state cannot be captured; then the execution fails
   */
  public void capture() {
    if (!visit.isRead()) {
      changes = visit.capture(objects);
    }
  }

  /** Hands the outcome to the replica, with what was read and, unless it is a failure, changed. */
  public void end(Outcome outcome) {
    Map<String, Long> versions = visit == null ? Map.of() : visit.versions();
    replica.executed(token, versions, outcome, outcome instanceof Failure ? List.of() : changes, this);
    // Not before: where memory ran out on the way to the replica, what the method changed must not stay.
    ended = true;
  }

  @Override
  public void commit() {
    if (isFirst()) {
      try {
        visit.keep();
      } finally {
        visit.leave();
      }
    }
  }

  @Override
  public void rollback() {
    if (isFirst()) {
      try {
        visit.discard();
      } finally {
        visit.leave();
      }
    }
  }

  /** Whether there is a visit, and nothing has ended it. */
  private synchronized boolean isFirst() {
    boolean first = !over && visit != null;
    over = true;
    return first;
  }

  public boolean hasEnded() {
    return ended;
  }

  /** Unless there was an outcome: undoes what was done, frees the resource, and gives the permission back. */
  @Override
  public void close() {
    if (!ended) {
      try {
        rollback();
      } finally {
        replica.abandoned(token);
      }
    }
  }
}
