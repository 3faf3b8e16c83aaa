package org.understudy.replication.runtime.routing;

import org.understudy.replication.core.Assignment;

/**
 * Receives every change of the view, or of this replica's role in it, in order, from one thread at a time. Must not block.
 */
@FunctionalInterface
public interface ViewListener {
  /** @param assignment what each replica serves in the newest view that is known */
  void changed(Assignment assignment);
}
