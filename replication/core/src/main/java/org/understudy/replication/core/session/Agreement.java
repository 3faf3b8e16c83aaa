package org.understudy.replication.core.session;

import org.understudy.replication.core.Failure;

/**
 * What exactly-once bookkeeping asks of the strategy that puts updates into one order. A strategy may know a primary, a
 * leader or nobody of the kind: nothing here depends on it.
 */
public interface Agreement {
  /** The epoch in which this replica answers. */
  long epoch();

  /** The index of the last update in the order, as far as this replica knows. */
  long end();

  /** Why no further update may be executed now, for too many wait to become stable; or null. */
  Failure backlog();

  /** Whether this read may be told as far as its level goes: nothing newer had been told anywhere before it read. */
  boolean confirmed(long now, PendingRead read);
}
