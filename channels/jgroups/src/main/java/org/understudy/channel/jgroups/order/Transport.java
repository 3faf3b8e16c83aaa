package org.understudy.channel.jgroups.order;

/**
 * Sends bytes to members: reliable and in order between any two members while both are in the transport's views.
 *
 * @param <A> addresses of members
 */
public interface Transport<A> {
  /** Sends to one member; never to this one. */
  void send(A member, byte[] message);

  /** Sends to all other members of the transport's current view. */
  void multicast(byte[] message);
}
