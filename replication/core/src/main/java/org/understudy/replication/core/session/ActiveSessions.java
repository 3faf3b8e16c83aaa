package org.understudy.replication.core.session;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.understudy.replication.api.SessionId;

/**
 * Sessions that are active at this replica and must be reported to the replica that ends sessions. A session is reported at once when it
 * becomes active, and again at the end of that interval and of the next one, because a report can be lost. One that stays active is
 * reported once an interval.
 */
final class ActiveSessions {
  private static final int MAX_AT_ONCE = 1_000;

  private final long intervalNanos;
  private final boolean inTime;
  /** To be sent, in the order in which they became due, so that none waits behind sessions that are active all the time. */
  private final LinkedHashSet<SessionId> due = new LinkedHashSet<>();
  /** Active since the present interval began. */
  private Set<SessionId> current = new LinkedHashSet<>();
  /** Active in the interval before. */
  private Set<SessionId> previous = Set.of();
  private long begun;

  /**
   * @param intervalNanos between two reports of a session that stays active
   * @param inTime false: sessions are reported once, at the end of an interval
   */
  ActiveSessions(long intervalNanos, boolean inTime) {
    this.intervalNanos = intervalNanos;
    this.inTime = inTime;
  }

  void add(SessionId session) {
    if (current.add(session) && inTime && !previous.contains(session)) {
      due.add(session);
    }
  }

  void clear() {
    due.clear();
    current.clear();
    previous = Set.of();
  }

  /** Whether the present interval has ended. Sessions that are still active are to be added before {@link #take}. */
  boolean isIntervalOver(long now) {
    return now - begun >= intervalNanos;
  }

  /** Removes and returns the ids that are to be sent now; mostly none. */
  List<SessionId> take(long now) {
    if (isIntervalOver(now)) {
      begun = now;
      due.addAll(previous);
      due.addAll(current);
      previous = inTime ? current : Set.of();
      current = new LinkedHashSet<>();
    }
    if (due.isEmpty()) {
      return List.of();
    }
    List<SessionId> some = new ArrayList<>();
    for (Iterator<SessionId> all = due.iterator(); all.hasNext() && some.size() < MAX_AT_ONCE; ) {
      some.add(all.next());
      all.remove();
    }
    return some;
  }
}
