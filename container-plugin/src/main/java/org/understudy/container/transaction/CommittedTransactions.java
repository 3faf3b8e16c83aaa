package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;
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
  /** The bits of a number that count the commits in one epoch. */
  private static final int COUNT_BITS = 32;

  // Guarded by this.
  private final Map<String, Long> numbers = new HashMap<>();
  private final TreeMap<Long, String> ids = new TreeMap<>();
  private long last;

  private final LongSupplier epoch;

  /** @param epoch of the present view */
  CommittedTransactions(LongSupplier epoch) {
    super(PREFIX);
    this.epoch = epoch;
  }

  /** The kind of the keys, which cost no client a share: their number is limited. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  /** The changes by which a commit adds its transaction, and removes the oldest ones beyond the limit. */
  synchronized List<StateChange> changes(String transaction) {
    // This primary does not know the numbers of updates in doubt, which its predecessors gave.
    last = Math.max(last + 1, epoch.getAsLong() << COUNT_BITS);
    List<StateChange> changes = new ArrayList<>();
    changes.add(new StateChange(PREFIX + transaction, ByteBuffer.allocate(Long.BYTES).putLong(last).array()));
    // Commits that are on their way together remove the same one; the next removes what they have left.
    ids.values().stream().limit(Math.max(0, ids.size() + 1 - MAX)).forEach(id -> changes.add(new StateChange(PREFIX + id, null)));
    return changes;
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
