package org.understudy.replication.core;

/** A capability that a strategy can require of its deployment. Checked before a replica is opened. */
public enum Capability {
  /** The state of every resource can be captured after an execution and restored at another replica. */
  STATE_CAPTURE,
  /** Equal requests in an equal order lead to equal states and responses at every replica; the service declares it. */
  DETERMINISM,
  /** Records outlive the process. */
  STABLE_STORAGE,
  /** Messages to one other replica; {@link Effects#send}. */
  PEER_CHANNEL,
  /** Totally ordered messages to all; {@link Effects#multicast}. */
  GROUP_CHANNEL
}
