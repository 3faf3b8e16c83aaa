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

  /**
   * A client without one: 128 bits of a hash of the deployed endpoint's name, resource, principal and
   * {@code wsa:MessageID}.
   */
  record OfMessageId(long high, long low) implements RequestKey {}
}
