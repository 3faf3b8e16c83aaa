package org.understudy.replication.core;

import java.util.List;
import java.util.Map;
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
   * Makes the record durable. Records that are named while others are being stored are stored together; one that a later
   * one of them supersedes is not stored at all.
   *
   * @param token comes back in {@link Input.Stored}
   */
  void store(long token, DurableRecord record);

  /** The caller may run the service method. */
  void execute(long token, Request.Kind kind);

  void reply(long token, Reply reply);

  void fail(long token, Failure failure);

  /**
   * Within the step of {@link Input.Executed}: the execution does not stand. Live objects that the method changed are to
   * be dropped. The caller is answered by {@link #reply} or {@link #fail}, now or later.
   */
  void undo(long token);

  /** The role or the view is another. A role other than primary: live state objects are to be read anew. */
  void changed(Role role, View view);

  /**
   * These resources have a new state. At the primary it is what its own execution left; elsewhere live objects of them
   * are to be read anew.
   */
  void applied(List<StateChange> changes);

  /** Every update up to this index is stable. Told in ascending order; lower again only after {@link #replaced}. */
  void stable(long index);

  /** The whole state was replaced by a state transfer. */
  void replaced(Map<String, byte[]> image);
}
