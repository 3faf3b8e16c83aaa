package org.understudy.replication.api;

/**
 * Calls from a service to other services. A call is part of the operation's update: it is sent when that update is stable, and
 * never if the update is undone. One replica sends for the group; after a failover its successor goes on. A service gets this
 * from {@link ResourceHome#outgoing()}.
 *
 * <p>Calls to one destination are sent one after another, in the order of the updates. A destination gets each call at least
 * once, always under the same {@code wsa:MessageID}; a group of Understudy replicas executes each exactly once, see
 * {@link OutgoingCall#toGroup}. The reply arrives in a later update, see {@link OutgoingReplies}. A call whose
 * attempts are used up waits as a dead letter until an operator retries or drops it; the calls after it are sent.
 *
 * <p>Thread-safe, but belongs to the operation that is executed, as all of {@link ResourceHome}.
 */
public interface Outgoing {
  /**
   * Adds a call to the update. Returns at once; nothing has been sent by then.
   *
   * @return the call's {@code wsa:MessageID}, which its reply names
   * @throws IllegalArgumentException when the configuration does not allow the host, or the body exceeds 1 MiB as text
   * @throws IllegalStateException when too many bytes wait for the destination already, in a {@link Read}, or outside an
   *     operation
   */
  String send(OutgoingCall call);
}
