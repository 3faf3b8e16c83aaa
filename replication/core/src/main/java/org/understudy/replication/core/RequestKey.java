package org.understudy.replication.core;

import org.understudy.replication.api.SessionId;

/** What makes a repeated request the same request. */
public sealed interface RequestKey {
  /**
   * A client that keeps a session.
   *
   * @param sequence one number for one invocation, from 1
   */
  record OfSession(SessionId session, long sequence) implements RequestKey {}

  /** A client without one: its {@code wsa:MessageID}, at most 512 characters. */
  record OfMessageId(String messageId) implements RequestKey {}
}
