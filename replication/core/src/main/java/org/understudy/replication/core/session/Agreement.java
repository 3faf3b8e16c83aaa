package org.understudy.replication.core.session;

import java.util.Collection;
import java.util.Map;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.request.Failure;

/**
 * The contract between the exactly-once bookkeeping and the strategy that orders updates. The bookkeeping does not depend
 * on a primary or leader.
 */
public interface Agreement {
  /** The epoch in which this replica answers. */
  long epoch();

  /**
   * The handle of an answer that shows the updates up to this index. A handle of a later epoch has no lower position than
   * one of an earlier epoch.
   */
  VersionHandle handle(long index);

  /** The index of the last update in the order, as far as this replica knows. */
  long end();

  /** Every update up to this one is stable and may be shown to any client. */
  long stable();

  /** Why no further update may be executed now (too many wait to become stable), or null. */
  Failure backlog();

  /** The bytes that the order adds to the update of a run that read these keys. */
  default long bytesOfKeys(Collection<String> read) {
    return 0;
  }

  /** Whether an execution that was admitted in this epoch may still be proposed or, for a read, answered. */
  boolean isCurrent(Execution execution);

  /** The confirmation that a read of this level arriving now must wait for, for {@link #confirmed}; 0: none. */
  long confirmation(long now, ReadLevel level, Effects out);

  /** Whether the level of this read permits the answer: no replica had returned a newer state before it read. */
  boolean confirmed(long now, PendingRead read);

  /**
   * Whether a read saw one state in all that it read here, although updates of other replicas may have been applied while it ran.
   *
   * @param read the keys, each with the version at which it was read
   */
  boolean sawOneState(Execution execution, Map<String, Long> read);

  /** Whether this replica decides now when sessions end. Another one reports to the one that does which sessions are alive. */
  default boolean endsSessions() {
    return true;
  }

  /**
   * Proposes the update of this execution to the order, in this step or later. Once it is placed, {@link
   * ExactlyOnce#commit} and {@link ExactlyOnce#answer} follow, or {@link ExactlyOnce#deliver}; when it is refused, {@link
   * ExactlyOnce#suspend} or {@link ExactlyOnce#refuse}.
   */
  void append(long now, Execution execution, Effects out);
}
