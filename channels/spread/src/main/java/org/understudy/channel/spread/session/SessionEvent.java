package org.understudy.channel.spread.session;

import java.nio.ByteBuffer;
import java.util.List;

/** What a daemon sends to a session. */
public sealed interface SessionEvent {
  /**
   * A message of another session or of this one.
   *
   * @param service null for the services that do not order messages for the whole group
   * @param sender the private group of the session that sent it; the sender's daemon vouches for it
   * @param groups to which it was sent
   * @param content valid until the decoder is used again
   */
  record Multicast(ServiceLevel service, String sender, List<String> groups, ByteBuffer content) implements SessionEvent {}

  /**
   * A regular membership of a group.
   *
   * @param members private groups of the sessions, in one order at all members
   * @param cause why it changed
   * @param set if daemons met or lost each other, the members that received the same messages as this session since its last membership,
   *     this session among them; else the session that joined or left
   */
  record Membership(String group, GroupId id, List<String> members, Cause cause, List<String> set) implements SessionEvent {}

  /** From here to the next membership of the group, a SAFE message counts as AGREED. */
  record Transitional(String group, GroupId id) implements SessionEvent {}

  /** The daemon confirms that this session has left the group. */
  record Left(String group) implements SessionEvent {}

  /** The daemon's access control rejects what this session sent or asked for. */
  record Rejected(List<String> groups) implements SessionEvent {}

  /** Why a membership changed. */
  enum Cause {
    JOIN,
    LEAVE,
    DISCONNECT,
    /** Daemons met, or lost each other. */
    NETWORK
  }
}
