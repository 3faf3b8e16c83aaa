package org.understudy.container.transaction;

import java.util.LinkedHashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The transactions whose coordinators have answered here that they have lost their memory, and the decision. Thread-safe. */
final class LostDecisions {
  private static final Logger LOG = LoggerFactory.getLogger(LostDecisions.class);
  private static final int MAX = 1_000;

  /** The oldest first. Guarded by this. */
  private final Set<String> ids = new LinkedHashSet<>();

  /** A coordinator has answered so. */
  void add(String id, String group) {
    if (isNew(id)) {
      LOG.warn(
          "The group {} has lost its memory since it began the transaction {}, and does not know whether it has committed it. If the "
              + "transaction is in doubt here, it stays so. Look at its changes in the other groups and at the answer to its client, then "
              + "decide it with scripts/transactions.",
          group, id);
    }
  }

  private synchronized boolean isNew(String id) {
    boolean added = ids.add(id);
    if (ids.size() > MAX) {
      ids.remove(ids.iterator().next());
    }
    return added;
  }

  synchronized boolean contains(String id) {
    return ids.contains(id);
  }
}
