package org.understudy.container.transaction;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.transaction.CoordinatorLife;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.replication.runtime.state.WholeState;

/**
 * All that this replica knows of transactions, with one entry for each. {@link #find} answers every question about an id in one step: two
 * questions with a gap between them would take a transaction that is committed in the gap for an aborted one. What the log has counts
 * before what is open here. Thread-safe; its lock is held for no call of another object but the epoch's.
 *
 * <p>The ids of the transactions that were committed last are part of the group's state, so a client without request ids that commits
 * again gets the true answer at any later primary too. So is the {@link CoordinatorLife}. What is open, and why transactions were aborted,
 * is in this replica's memory.
 */
final class TransactionTable implements StateListener {
  /** How many committed transactions are known. */
  static final int MAX = 1_000;
  static final String PREFIX = "transaction/";
  /** The key of the group's life as a coordinator. */
  static final String LIFE = "coordinator/life";
  /** Of transactions that ended here otherwise than by a commit in the log. */
  private static final int MAX_ENDED = 1_000;
  /** The bits of a number that count the commits in one epoch. */
  private static final int COUNT_BITS = 32;
  /** Between the mark of a transaction's beginning and the end of its id. Earlier versions write no mark. */
  static final char MARK_END = '.';

  /** What is certain about a transaction. To be relied on within a linearizable read only: another primary may know more. */
  enum Fate {
    /** It is open, being committed or being undone here: {@link Found#open} knows. */
    OPEN,
    /** The log has its commit; or its coordinator outside the group has committed it. */
    COMMITTED,
    /** It ended here because it could only abort; or nothing is known of it, and no commit of it can be missing. */
    ABORTED,
    /** It has ended so long ago that its commit may be forgotten. */
    FORGOTTEN,
    /** It was begun at this group in another life, whose commits may be lost. */
    LOST
  }

  /**
   * What is known of one transaction at one moment.
   *
   * @param open null unless it is open
   * @param end null unless it ended here because it could only abort
   */
  record Found(Fate fate, OpenTransaction open, End end) {
    /** Whether "aborted" may be untrue, now or later. */
    boolean mayCommit() {
      return fate == Fate.OPEN ? open.isCommitting() : fate != Fate.ABORTED;
    }

    /**
     * What a participant in doubt may conclude.
     *
     * @param known what the coordinator knows, asked later
     */
    TransactionStatus status(TransactionStatus known) {
      if (known != TransactionStatus.ACTIVE && fate == Fate.COMMITTED) {
        return TransactionStatus.COMMITTED;
      }
      return known != TransactionStatus.COMMITTED && fate == Fate.OPEN && open.isCommitting() ? TransactionStatus.ACTIVE : known;
    }

    /** Returns the open transaction, which must be this user's. */
    OpenTransaction require(String id, String principal) throws RefusedCallException {
      if (fate != Fate.OPEN) {
        throw refusal(id, principal);
      }
      open.requireOf(principal);
      return open;
    }

    /** The answer to a client that names this transaction, which is not open here. */
    RefusedCallException refusal(String id, String principal) {
      return switch (fate) {
        case COMMITTED -> OpenTransaction.committed(id);
        case LOST -> lost(id);
        case FORGOTTEN ->
            OpenTransaction.refused(
                FailureCode.TransactionOutcomeUnknown,
                "The transaction " + id + " has ended, and " + MAX + " others were committed since it was begun. The group does not know "
                    + "any more whether it was committed. Nothing was executed now. Look at what it has changed before you begin again.");
        case OPEN, ABORTED ->
            end != null && end.principal().equals(principal)
                ? OpenTransaction.aborted(id, end.why())
                : OpenTransaction.refused(
                    FailureCode.TransactionAborted,
                    "The transaction " + id + " is unknown at the primary: it was aborted, or an earlier primary failed or lost its role. "
                        + "What was not committed is undone. Begin another transaction.");
      };
    }
  }

  /**
   * How a transaction has ended at this primary.
   *
   * @param why it was aborted, as a clause; null when its coordinator outside the group has committed it
   */
  record End(String principal, String why) {}

  /** The answer to a client that names a lost transaction. */
  static RefusedCallException lost(String id) {
    return OpenTransaction.refused(
        FailureCode.TransactionOutcomeUnknown,
        "The group that began the transaction " + id + " does not know any more whether it was committed, for example because it has lost "
            + "its memory since. Nothing was executed now. Look at what it has changed in the other groups before you begin it again.");
  }

  /** What is known of one transaction. Not all is null. */
  private static final class Entry {
    private OpenTransaction open;
    /** The number of its commit, in the order of commits. */
    private Long number;
    private End end;

    private boolean isEmpty() {
      return open == null && number == null && end == null;
    }
  }

  /** The beginning of the ids of transactions that are begun at this group. */
  private final String ids;
  private final LongSupplier epoch;

  // Guarded by this.
  private final Map<String, Entry> entries = new HashMap<>();
  /** The committed ones by their numbers. */
  private final TreeMap<Long, String> committed = new TreeMap<>();
  /** Those with an {@link End}, the oldest first. */
  private final Set<String> ended = new LinkedHashSet<>();
  private long last;
  /** Null before the first one. */
  private CoordinatorLife life;

  /**
   * @param ids the beginning of the ids of transactions that are begun at this group
   * @param epoch of the present view; must not wait for the replica's lock
   */
  TransactionTable(String ids, LongSupplier epoch) {
    this.ids = ids;
    this.epoch = epoch;
  }

  /** The kind of the keys of commits, which cost no client a share: their number is limited. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  /** What is known of a transaction. */
  synchronized Found find(String id) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return new Found(absent(id), null, null);
    } else if (entry.number != null || entry.open == null && entry.end.why() == null) {
      return new Found(Fate.COMMITTED, null, null);
    }
    return entry.open != null ? new Found(Fate.OPEN, entry.open, null) : new Found(Fate.ABORTED, null, entry.end);
  }

  private Fate absent(String id) {
    if (!id.startsWith(ids)) {
      return Fate.ABORTED;
    }
    return !includes(id) ? Fate.LOST : mayHaveForgotten(mark(id)) ? Fate.FORGOTTEN : Fate.ABORTED;
  }

  // ---- open transactions

  /** Adds a transaction unless its id is known. Returns what was known before; null for nothing. */
  synchronized Found add(OpenTransaction begun) {
    Entry entry = entries.computeIfAbsent(begun.id(), id -> new Entry());
    if (!entry.isEmpty()) {
      return find(begun.id());
    }
    entry.open = begun;
    return null;
  }

  /** Removes a transaction that has ended. Returns false when it is not open here. */
  synchronized boolean remove(OpenTransaction gone) {
    return remove(gone, null);
  }

  /** As {@link #remove}, of one that could only abort: its client learns why. */
  synchronized boolean abort(OpenTransaction gone) {
    return remove(gone, new End(gone.principal(), gone.why()));
  }

  /** As {@link #remove}, of one that a coordinator outside the group has committed: its client does not take it for aborted. */
  synchronized boolean commit(OpenTransaction gone) {
    return remove(gone, new End(gone.principal(), null));
  }

  /** @param end null unless it is to be remembered */
  private boolean remove(OpenTransaction gone, End end) {
    Entry entry = entries.get(gone.id());
    if (entry == null || entry.open != gone) {
      return false;
    }
    entry.open = null;
    if (end != null) {
      entry.end = end;
      ended.add(gone.id());
      if (ended.size() > MAX_ENDED) {
        forget(ended.iterator().next());
      }
    }
    clean(gone.id(), entry);
    return true;
  }

  /** Forgets how a transaction has ended at this primary. */
  synchronized void forget(String id) {
    if (ended.remove(id)) {
      Entry entry = entries.get(id);
      entry.end = null;
      clean(id, entry);
    }
  }

  private void clean(String id, Entry entry) {
    if (entry.isEmpty()) {
      entries.remove(id);
    }
  }

  /** The transactions that are open here. */
  synchronized List<OpenTransaction> open() {
    return entries.values().stream().filter(one -> one.open != null).map(one -> one.open).toList();
  }

  // ---- commits

  /** The changes by which a commit adds its transaction, and removes the oldest ones beyond the limit. */
  synchronized List<StateChange> changes(String transaction) {
    // This primary does not know the numbers of updates in doubt, which its predecessors gave.
    last = Math.max(last + 1, epoch.getAsLong() << COUNT_BITS);
    List<StateChange> changes = new ArrayList<>();
    changes.add(new StateChange(PREFIX + transaction, ByteBuffer.allocate(Long.BYTES).putLong(last).array()));
    // Commits that are on their way together remove the same one; the next removes what they have left.
    committed.values().stream().limit(Math.max(0, committed.size() + 1 - MAX)).forEach(
        id -> changes.add(new StateChange(PREFIX + id, null)));
    return changes;
  }

  /**
   * The mark of a transaction that is begun now, as a part of its id: it is committed later than those that the mark counts. Without a
   * period.
   */
  synchronized String mark() {
    return Long.toHexString(last);
  }

  /** Whether a transaction may have been committed before all that are known: not if it was begun later than those that are forgotten. */
  private boolean mayHaveForgotten(long mark) {
    return committed.size() >= MAX && mark + 1 < committed.firstKey();
  }

  /** The mark in an id; 0 for none. */
  private static long mark(String id) {
    String unique = CoordinatorLife.unique(id);
    int end = unique.indexOf(MARK_END);
    try {
      return end < 0 ? 0 : Long.parseUnsignedLong(unique.substring(0, end), 16);
    } catch (NumberFormatException e) {
      // Not begun here.
      return 0;
    }
  }

  // ---- lives

  /** The present life; null for none. */
  synchronized CoordinatorLife life() {
    return life != null && life.lastsAt(epoch.getAsLong()) ? life : null;
  }

  /** A life to follow the last one. */
  synchronized CoordinatorLife nextLife(String name) {
    // What earlier versions have begun is of this memory if it knows one of their commits.
    return new CoordinatorLife(name, epoch.getAsLong(), life == null && !committed.isEmpty());
  }

  /** Whether a transaction was begun in the present life. */
  synchronized boolean includes(String id) {
    CoordinatorLife present = life();
    if (present == null) {
      return life == null && !CoordinatorLife.isNamed(id) && !committed.isEmpty();
    }
    return present.includes(id);
  }

  // ---- the group's state

  @Override
  public boolean follows(String key) {
    return key.startsWith(PREFIX) || key.equals(LIFE);
  }

  @Override
  public void onChange(String key, byte[] state) {
    if (follows(key)) {
      change(key, state);
    }
  }

  private synchronized void change(String key, byte[] state) {
    if (key.equals(LIFE)) {
      life = state == null ? null : CoordinatorLife.read(state);
      return;
    }
    String id = key.substring(PREFIX.length());
    Entry entry = entries.computeIfAbsent(id, none -> new Entry());
    if (entry.number != null) {
      committed.remove(entry.number);
      entry.number = null;
    }
    if (state != null && state.length == Long.BYTES) {
      entry.number = ByteBuffer.wrap(state).getLong();
      committed.put(entry.number, id);
      last = Math.max(last, entry.number);
    }
    clean(id, entry);
  }

  @Override
  public synchronized void onReset() {
    life = null;
    committed.values().forEach(id -> {
      Entry entry = entries.get(id);
      entry.number = null;
      clean(id, entry);
    });
    committed.clear();
  }

  /** In one step: a state without commits would make aborts of them. */
  @Override
  public synchronized void replaced(WholeState state) {
    onReset();
    state.forEach(this::onChange);
  }
}
