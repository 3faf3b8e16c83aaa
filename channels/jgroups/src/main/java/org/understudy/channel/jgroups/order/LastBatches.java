package org.understudy.channel.jgroups.order;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The last batch of each member's life that was delivered here, of the members heard last.
 *
 * @param <A> addresses of members
 */
final class LastBatches<A> {
  private static final int MAX_LIVES = 1_024;

  /** The one without news for longest first. */
  private final LinkedHashMap<A, Long> last = new LinkedHashMap<>(16, 0.75f, true);

  /** Whether the batch was not delivered before; notes that it is delivered. */
  boolean isNew(A sender, long batch) {
    Long before = last.get(sender);
    if (before != null && batch <= before) {
      return false;
    }
    last.put(sender, batch);
    if (last.size() > MAX_LIVES) {
      Map.Entry<A, Long> eldest = last.entrySet().iterator().next();
      last.remove(eldest.getKey());
    }
    return true;
  }
}
