package org.understudy.replication.runtime;

/**
 * All that one execution made, until the strategy decides whether it stands. Of its methods exactly one is called, once, by
 * the thread that brings the decision, outside the replica's exclusion. Must not block or throw.
 */
public interface Proposal {
  /**
   * It stands. {@link ReplicatedState} shows its changes already. What it had locked is to be released; nothing of it was
   * visible before.
   */
  void commit();

  /** It comes to nothing: what it made is to be dropped, and then released what it had locked. It may be executed again. */
  void rollback();
}
