package org.understudy.replication.core.session;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Failure;

/**
 * What exactly-once bookkeeping requires of the strategy that puts updates into one order. A strategy may know a primary, a
 * leader or neither: nothing here depends on it.
 */
public interface Agreement {
  /** The epoch in which this replica answers. */
  long epoch();

  /**
   * What a client has seen whose answer shows the updates up to this index. A handle of a later epoch has no lower position
   * than one of an earlier epoch.
   */
  VersionHandle handle(long index);

  /** The index of the last update in the order, as far as this replica knows. */
  long end();

  /** Every update up to this one is stable: it may be shown to anybody. */
  long stable();

  /** Why no further update may be executed now, for too many wait to become stable; or null. */
  Failure backlog();

  /** Whether what was let in when this execution was may still be proposed or, of a read, answered. */
  boolean stands(Execution execution);

  /** What a read of this level that arrives now has to wait for, as {@link #confirmed} understands it; 0: nothing. */
  long confirmation(long now, ReadLevel level, Effects out);

  /** Whether the level of this read permits the answer: no replica had returned anything newer before it read. */
  boolean confirmed(long now, PendingRead read);

  /**
   * Puts the update of this execution into the order, in this step or later. When it has its place, {@link
   * ExactlyOnce#commit} and {@link ExactlyOnce#answer} follow, or {@link ExactlyOnce#deliver}; when it is refused, {@link
   * ExactlyOnce#again} or {@link ExactlyOnce#refuse}.
   */
  void append(long now, Execution execution, Effects out);
}
