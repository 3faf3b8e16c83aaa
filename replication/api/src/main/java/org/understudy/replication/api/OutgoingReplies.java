package org.understudy.replication.api;

/** Implemented by a service class that wants the replies to its outgoing calls. Without it, replies are discarded. */
public interface OutgoingReplies {
  /**
   * Receives what came of a call, in an update of its own, as an operation of the resource that the call named: the
   * {@link ResourceHome} works as in an operation, and further calls can be sent. Its effects happen exactly once for each call.
   * As any operation it may be run again after its first run was undone.
   *
   * <p>Called by a thread of the container. It should return soon: while it runs, other replies wait. When it throws, its
   * effects are undone and it is retried; after ten failures the call becomes a dead letter. The resource may have been destroyed
   * since the call: {@link ResourceHome#current()} throws then.
   */
  void replied(OutgoingReply reply);
}
