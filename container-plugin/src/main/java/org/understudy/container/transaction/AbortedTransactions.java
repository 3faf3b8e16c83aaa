package org.understudy.container.transaction;

import java.util.LinkedHashMap;
import java.util.Map;

/** The last transactions that ended here because they could only abort, so that their clients learn why. Thread-safe. */
final class AbortedTransactions {
  private static final int MAX = 1_000;

  private record Aborted(String principal, String why) {}

  /** By id, the oldest first. Guarded by this. */
  private final Map<String, Aborted> byId = new LinkedHashMap<>();

  synchronized void add(String id, String principal, String why) {
    byId.put(id, new Aborted(principal, why));
    if (byId.size() > MAX) {
      byId.remove(byId.keySet().iterator().next());
    }
  }

  synchronized void forget(String id) {
    byId.remove(id);
  }

  synchronized boolean contains(String id) {
    return byId.containsKey(id);
  }

  /** @throws RefusedCallException when this user's transaction has ended so */
  void requireNone(String id, String principal) throws RefusedCallException {
    Aborted found;
    synchronized (this) {
      found = byId.get(id);
    }
    if (found != null && found.principal().equals(principal)) {
      throw OpenTransaction.aborted(id, found.why());
    }
  }
}
