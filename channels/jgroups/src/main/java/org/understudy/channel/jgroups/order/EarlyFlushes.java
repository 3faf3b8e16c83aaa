package org.understudy.channel.jgroups.order;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What members have reported for views that this member has not seen yet. The oldest reports are dropped where too many wait: their senders
 * have reported again since, or are not members any more.
 *
 * @param <A> addresses of members
 */
final class EarlyFlushes<A> {
  private static final int MAX = 256;
  private static final long MAX_BYTES = 64L << 20;

  private record Early<A>(ViewKey view, A from, Flush flush) {}

  private final Deque<Early<A>> waiting = new ArrayDeque<>();

  void add(ViewKey view, A from, Flush flush) {
    waiting.add(new Early<>(view, from, flush));
    while (waiting.size() > MAX || waiting.size() > 1 && bytes() > MAX_BYTES) {
      waiting.remove();
    }
  }

  private long bytes() {
    return waiting.stream().mapToLong(one -> one.flush().bytes()).sum();
  }

  /** The last report of each member for this view. */
  Map<A, Flush> of(ViewKey view) {
    Map<A, Flush> flushes = new LinkedHashMap<>();
    for (Early<A> one : waiting) {
      if (one.view().equals(view)) {
        flushes.put(one.from(), one.flush());
      }
    }
    return flushes;
  }

  /** Drops the reports for this view and earlier ones. */
  void forgetUpTo(ViewKey view) {
    waiting.removeIf(one -> one.view().number() <= view.number());
  }
}
