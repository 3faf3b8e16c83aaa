package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;

/**
 * The ids of the transactions that were committed last, as part of the group's state: a client without request ids that commits again
 * gets the true answer, at any later primary too. Thread-safe.
 */
final class CommittedTransactions extends TransactionState {
  /** How many are known. */
  static final int MAX = 1_000;
  static final String PREFIX = "transaction/";

  // Guarded by this.
  private final Map<String, Long> numbers = new HashMap<>();
  private final TreeMap<Long, String> ids = new TreeMap<>();
  private long last;

  CommittedTransactions() {
    super(PREFIX);
  }

  /** The kind of the keys, which cost no client a share: their number is limited. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  /** The changes by which a commit adds its transaction, and removes the oldest one beyond the limit. */
  synchronized List<StateChange> changes(String transaction) {
    last++;
    StateChange added = new StateChange(PREFIX + transaction, ByteBuffer.allocate(Long.BYTES).putLong(last).array());
    return ids.size() < MAX ? List.of(added) : List.of(added, new StateChange(PREFIX + ids.firstEntry().getValue(), null));
  }

  synchronized boolean contains(String transaction) {
    return numbers.containsKey(transaction);
  }

  /**
   * The mark of a transaction that is begun now, as a part of its id: it is committed later than those that the mark counts. Without a
   * period.
   */
  synchronized String mark() {
    return Long.toHexString(last);
  }

  /**
   * Whether a transaction may have been committed before all that are known. Of one that was begun later than those that are forgotten,
   * that is certainly not so.
   *
   * @param mark of its beginning; null for none
   */
  synchronized boolean mayHaveForgotten(String mark) {
    return numbers.size() >= MAX && number(mark) + 1 < ids.firstKey();
  }

  private static long number(String mark) {
    try {
      return mark == null ? 0 : Long.parseUnsignedLong(mark, 16);
    } catch (NumberFormatException e) {
      // Not begun here.
      return 0;
    }
  }

  synchronized boolean hasAny() {
    return !ids.isEmpty();
  }

  @Override
  synchronized void changed(String id, byte[] state) {
    Long before = numbers.remove(id);
    if (before != null) {
      ids.remove(before);
    }
    if (state != null && state.length == Long.BYTES) {
      long number = ByteBuffer.wrap(state).getLong();
      numbers.put(id, number);
      ids.put(number, id);
      last = Math.max(last, number);
    }
  }

  @Override
  public synchronized void onReset() {
    numbers.clear();
    ids.clear();
  }
}
