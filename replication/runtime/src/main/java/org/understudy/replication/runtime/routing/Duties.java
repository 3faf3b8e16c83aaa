package org.understudy.replication.runtime.routing;

import java.util.Set;
import org.understudy.replication.api.Duty;

/** The duties of this replica in its view, as the strategy assigns them. Thread-safe. */
public interface Duties {
  /** Whether this replica has the duty now; also false while a view changes. A volatile read. */
  boolean has(Duty duty);

  /** The duties that this replica has now. */
  Set<Duty> current();

  /** Notifies a listener of the beginnings and ends of one duty from now on; at once if the duty has begun already. */
  void listen(Duty duty, DutyListener listener);
}
