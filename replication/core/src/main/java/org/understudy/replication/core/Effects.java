package org.understudy.replication.core;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.update.StateChange;

/**
 * The effects that a step requests. Called only during {@link ReplicaCore#step}.
 *
 * <p>The one ordering guarantee: effects requested after {@link #store}, in the same step or a later one, happen after the
 * record is durable. Other effects may happen as soon as the step has returned; messages to one replica keep their order.
 */
public interface Effects {
  /** Sends to another replica, at most once. Delivery is not guaranteed. */
  void send(ReplicaId to, Message message);

  /** As {@link #send}, after the step's answers: for a message on which nobody waits at the other replica. */
  default void sendLast(ReplicaId to, Message message) {
    send(to, message);
  }

  /**
   * Steps the core with {@link Input.Continued} when the messages that this step sends have left. For work that the other replicas need
   * not wait for. The core does it at the beginning of the next step, whichever input that has, so that no input sees it undone.
   */
  void stepAgain();

  /**
   * Multicasts to every member of the group channel, this replica included, which receives it as {@link Input.Delivered}.
   * All members receive messages in one order. Nothing is sent when this replica is not in the group or the backlog for the
   * disk is full. Only for a replica with a group channel: after its first {@link Input.ViewInstalled}.
   */
  void multicast(Message message);

  /** Logs a line for the operator at WARN: what failed, on what, why, what to do. Equal lines are logged once a minute. */
  void warn(String line);

  /** Logs a line for the operator at INFO. */
  void inform(String line);

  /**
   * Makes the record durable. Records that are requested while others are being stored are stored together; superseded ones
   * are skipped.
   *
   * @param token comes back in {@link Input.Stored}
   */
  void store(long token, DurableRecord record);

  /**
   * Makes the record durable, after all records that were requested before it and before those requested later. Holds no other
   * effect, unlike {@link #store}: the core itself waits for {@link Input.Stored} where something rests on the record. It must bound
   * what it appends meanwhile.
   *
   * @param token comes back in {@link Input.Stored}
   */
  default void append(long token, DurableRecord record) {
    store(token, record);
  }

  /**
   * Permits the caller to run the service method. Requested once for a token, and once more after each {@link #rollback}:
   * then the method runs again with the same request. A caller that has gone answers with {@link Input.Abandoned}.
   */
  void execute(long token, Request.Kind kind);

  void reply(long token, Reply reply);

  void fail(long token, Failure failure);

  /**
   * Commits an execution. Each {@link Input.Executed} leads to exactly one of this and {@link #rollback}, in its step or a
   * later one; the execution keeps its locks until then. The caller is answered separately, by {@link #reply} or {@link
   * #fail}. Does not wait for records that are being stored.
   *
   * @param version of what it changed, see {@link #applied}
   * @param changes the execution's changes, with complete ids; live objects at this replica show them already. Empty for a
   *     read
   */
  void commit(long token, long version, List<StateChange> changes);

  /**
   * Rolls an execution back: all its changes are dropped. The token may be executed again; otherwise the caller is answered
   * by {@link #reply} or {@link #fail}. Does not wait for records that are being stored.
   */
  void rollback(long token);

  /**
   * Has the database decide the update of this execution, which every replica of the view has stored or which commits in one phase.
   * Answered by {@link Input.Decided}, however long that takes; not at all if {@link #rollback} comes first. Waits for records that are
   * being stored.
   *
   * @param key of the request, or null
   * @param digest of the request
   */
  default void decide(long token, DecisionId id, RequestKey key, long digest, Response response) {
    throw new IllegalStateException("This replica has no database that decides updates.");
  }

  /**
   * Raises the epoch of the database, then finds out which prepared updates have committed, then lets the service load what it keeps
   * of the database in memory. Answered by {@link Input.Fenced}, unless a later call replaces this one. Waits for records that are
   * being stored.
   *
   * @param view the epoch of the view
   * @param last the highest decision that is known to be committed, or null
   * @param reload whether the service loads its memory; false at a primary that stays primary
   */
  default void fence(long view, DecisionId last, List<DecisionId> prepared, boolean reload) {
    throw new IllegalStateException("This replica has no database that decides updates.");
  }

  /**
   * Reads rows of the database that it is fenced with, in ascending order. Answered by {@link Input.Recalled}, unless a later call of this
   * method or {@link #fence} replaces this one.
   *
   * @param view the epoch of the view
   * @param after the last id that was read before; null for the beginning
   */
  default void recall(long view, DecisionId after) {
    throw new IllegalStateException("This replica has no database that decides updates.");
  }

  /**
   * Permits the database to forget rows of lower epochs, and of lower decisions of the same kind in the epoch of this one.
   *
   * @param all also the rows of requests that are known by message id; they stay otherwise
   */
  default void forget(DecisionId below, boolean all) {
    throw new IllegalStateException("This replica has no database that decides updates.");
  }

  /**
   * Reports that every replica of the view has stored the prepared update of this execution: the participant may vote for its
   * transaction. {@link Input.CoordinatorDecided} decides it. Not requested if {@link #rollback} comes first. Waits for records that are
   * being stored.
   */
  default void prepared(long token, DecisionId id) {
    throw new IllegalStateException("This replica takes no part in transactions.");
  }

  /**
   * Reports the updates that former primaries have prepared for coordinators, at a primary whose view has begun. Never empty. No
   * execution that reads or changes their resources takes effect before they are decided. Waits for records that are being stored.
   */
  default void inDoubt(List<InDoubt> updates) {
    throw new IllegalStateException("This replica takes no part in transactions.");
  }

  /**
   * Answers {@link Input.CoordinatorDecided}. Waits for records that are being stored.
   *
   * @param stable true when every replica of the view knows the decision: the coordinator may forget it. False when this replica is
   *     not the primary, or holds no such prepared update: that says nothing about the decision
   */
  default void settled(DecisionId id, boolean stable) {
    throw new IllegalStateException("This replica takes no part in transactions.");
  }

  /** Reports a change of the role or the view. In any role other than primary, live state objects are stale. */
  void changed(Role role, View view);

  /**
   * Sets new states of resources from an update that no execution at this replica made: their live objects are stale. Does
   * not wait for running executions; an execution that read an older state is rolled back when its versions are compared.
   *
   * @param version the position of the update in the order. A resource has the version of the last update that changed it
   */
  void applied(long version, List<StateChange> changes);

  /**
   * Reports the load indexes of the members, with a new instance for each heartbeat. Informational: they may be lost, late or
   * repeated.
   */
  default void loads(LoadBoard board) {
    // Only a replica that balances load reads them.
  }

  /** Reports how far the clocks of the group are ahead of this replica's monotonic clock, at each heartbeat. */
  default void time(ClockReading reading) {
    // Only a replica whose resources or sessions end at some time reads them.
  }

  /**
   * Reports that every update up to this index is stable. The index ascends; it can be lower only after {@link #replaced}.
   */
  void stable(long index);

  /**
   * Adds resources of a new state, which a state transfer brings in parts. They stay invisible until {@link #replaced}.
   *
   * @param part from 0. Part 0 drops earlier parts, so an empty part 0 ends an interrupted transfer
   * @param version of all resources, see {@link #applied}
   */
  void receiving(int part, long version, List<StateChange> resources);

  /**
   * Replaces the whole state by the parts received since part 0, atomically.
   *
   * @param version as given with the parts
   */
  void replaced(long version);
}
