package org.understudy.replication.core;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;

/**
 * What a step wants done. Called only during {@link ReplicaCore#step}.
 *
 * <p>The one contract: whatever is named after {@link #store} happens after the record is safe on disk, later steps'
 * effects included. Everything else may be done as soon as the step has returned, messages to one replica in the order
 * in which they were named.
 */
public interface Effects {
  /** Sends to another replica, at most once and perhaps never. */
  void send(ReplicaId to, Message message);

  /**
   * Sends to every member of the group channel, this replica too, where it comes back as {@link Input.Delivered}: to all of
   * them in one order, and to none when this replica is not in the group or too much waits for the disk. Only for a strategy
   * that requires a group channel.
   */
  void multicast(Message message);

  /**
   * Logs a line for the operator at WARN: what failed, on what, why, what to do. The same line comes into the log once a
   * minute.
   */
  void warn(String line);

  /**
   * Makes the record durable. Records that are named while others are being stored are stored together; one that a later
   * one of them supersedes is not stored at all.
   *
   * @param token comes back in {@link Input.Stored}
   */
  void store(long token, DurableRecord record);

  /**
   * The caller may run the service method. Once for a token, and once more after each {@link #rollback} of it: the method
   * runs again, with the same request. A caller that is not there any more answers with {@link Input.Abandoned}.
   */
  void execute(long token, Request.Kind kind);

  void reply(long token, Reply reply);

  void fail(long token, Failure failure);

  /**
   * The execution stands. For each {@link Input.Executed} exactly one of this and {@link #rollback} is named, in its step
   * or in a later one; until then, what it has locked stays locked. The caller is answered by {@link #reply} or
   * {@link #fail}, now or later. Happens although a record is being stored.
   *
   * @param version of what it changed, see {@link #applied}
   * @param changes its own, with complete ids; live objects here show them already. None of a read
   */
  void commit(long token, long version, List<StateChange> changes);

  /**
   * The execution comes to nothing: all that it made is dropped. The token may be executed again; otherwise the caller is
   * answered by {@link #reply} or {@link #fail}, now or later. Happens although a record is being stored.
   */
  void rollback(long token);

  /** The role or the view is another. A role other than primary: live state objects are to be read anew. */
  void changed(Role role, View view);

  /**
   * These resources have a new state, which no execution here left: live objects of them are to be read anew. Waits for no
   * execution: one that has read an older state is rolled back by who compares the versions.
   *
   * @param version the position of the update that left this state. Grows from update to update. A resource has the version
   *     of the last update that changed it
   */
  void applied(long version, List<StateChange> changes);

  /** Every update up to this index is stable. Called in ascending order; lower again only after {@link #replaced}. */
  void stable(long index);

  /**
   * Resources of another whole state, which a state transfer brings in parts. They are kept aside: nothing shows them before
   * {@link #replaced}.
   *
   * @param part from 0. Part 0 drops the parts before it, so that an empty one ends a transfer that broke off
   * @param version of all resources, see {@link #applied}
   */
  void receiving(int part, long version, List<StateChange> resources);

  /**
   * The whole state is the one that came in parts since part 0, at once.
   *
   * @param version as named with the parts
   */
  void replaced(long version);
}
