package org.understudy.replication.core.journal;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.session.GroupState;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.ItemsWithTail;
import org.understudy.replication.core.transfer.UpdateLog;
import org.understudy.replication.core.update.StateUpdate;

/**
 * The journal of one replica, from which it continues after a restart: every update that it holds, every view that it enters,
 * and from time to time a checkpoint of its whole state, which makes older records redundant. A replica acknowledges an update
 * when its journal has it durably.
 *
 * <p>Records do not delay other effects: the replica goes on while they are being stored. A journal that is not kept does nothing, and
 * everything counts as durable.
 */
public final class Journal {
  /** What follows a checkpoint may grow to some times its size, so that checkpoints cost a bounded share of all writing. */
  private static final int GROWTH = 2;

  /** The end of the log when a record was appended. */
  private record Pending(long token, long end) {}

  private final ReplicaSetup setup;
  private final GroupState state;
  private final UpdateLog log;
  private final LongSupplier tokens;
  private final boolean kept;
  /** Of the last record. */
  private long number;
  private final ArrayDeque<Pending> pending = new ArrayDeque<>();
  /** The last update that is durable, as far as {@link #stored} has reported. */
  private long durable;
  /** The view whose updates the journal holds; 0 when it lacks some. */
  private long epoch;
  private int wire;
  private long needed;
  /** Bytes of updates since the last checkpoint began. */
  private long bytes;
  private long checkpointBytes;
  /** The rest of the checkpoint that is being written; null for none. */
  private StateItems items;
  private Item ahead;
  private JournalRecord.Part head;

  /**
   * @param state restored by {@link #restore}
   * @param log restored too
   * @param tokens for {@link Effects#append}: ascending, shared with all other records of the replica
   */
  public Journal(ReplicaSetup setup, GroupState state, UpdateLog log, LongSupplier tokens) {
    this.setup = setup;
    this.state = state;
    this.log = log;
    this.tokens = tokens;
    this.kept = setup.journal();
  }

  /** A journal that is not kept. */
  public static Journal none(ReplicaSetup setup, GroupState state, UpdateLog log) {
    return new Journal(setup.withJournal(false), state, log, () -> 0);
  }

  // ------------------------------------------------------------------------------------------------ restart

  /**
   * Brings state and log to what the journal holds, if it holds all that this replica acknowledged.
   *
   * @param base the last view in which updates can have become stable, as far as this replica knows. Only as its member can the
   *     replica have acknowledged them
   * @return whether it does
   */
  public boolean restore(View base) {
    if (!kept) {
      return false;
    }
    List<JournalRecord> records = setup.recovered().takeAll(JournalRecord.KIND);
    boolean proven = !records.isEmpty() && replay(records) && base.contains(setup.self()) && epoch >= base.epoch();
    number = records.isEmpty() ? 0 : records.get(records.size() - 1).number();
    if (proven || !setup.enforces(Rule.JOURNAL_OF_LAST_VIEW)) {
      durable = log.end();
      return true;
    }
    epoch = 0;
    state.replace(new GroupState(setup), 0);
    log.reset(0);
    return false;
  }

  private boolean replay(List<JournalRecord> records) {
    long from = 0;
    for (JournalRecord record : records) {
      from = Math.max(from, record.redundantBelow());
    }
    if (from > 0) {
      load(records, from);
    } else if (records.get(0).number() != 1) {
      return false;
    }
    for (JournalRecord record : records) {
      if (record.number() >= from && !replay(record)) {
        return false;
      }
    }
    return epoch > 0;
  }

  /** Loads the checkpoint with this first part. */
  private void load(List<JournalRecord> records, long first) {
    GroupState whole = new GroupState(setup);
    List<StateUpdate> tail = new ArrayList<>();
    long floor = -1;
    for (JournalRecord record : records) {
      if (record instanceof JournalRecord.Part part && part.first() == first) {
        head = part;
        whole.restore(part.items(), part.index());
        for (Item item : part.items()) {
          if (item instanceof Item.Basis basis) {
            floor = basis.floor();
          } else if (item instanceof Item.Unstable unstable) {
            tail.add(unstable.update());
          }
        }
      }
    }
    whole.forgetRemovals(floor < 0 ? head.index() : floor);
    state.replace(whole, head.index());
    log.reset(Math.min(head.index(), head.stable()));
    tail.forEach(log::add);
    epoch = head.epoch();
    wire = head.wire();
    needed = head.needed();
    head = null;
  }

  /** @return false when the record does not continue those before it */
  private boolean replay(JournalRecord record) {
    if (record instanceof JournalRecord.Appended appended) {
      StateUpdate update = appended.update();
      if (epoch > 0 && update.index() == log.end() + 1) {
        log.add(update);
      } else {
        return epoch == 0 || update.index() <= log.end();
      }
    } else if (record instanceof JournalRecord.Entered entered) {
      log.truncate(entered.start());
      epoch = entered.epoch();
      wire = entered.wire();
      needed = 0;
    }
    return !(record instanceof JournalRecord.Voided);
  }

  /** The view whose updates the journal holds; 0 when it may lack some. */
  public long epoch() {
    return epoch;
  }

  /** The wire version of the restored state. */
  public int wire() {
    return wire;
  }

  /** The update up to which the restored log is needed to hold what this replica received as a joiner. */
  public long needed() {
    return needed;
  }

  // ------------------------------------------------------------------------------------------------ records

  /** The last update that is durable here, so that it may be acknowledged. */
  public long durable() {
    return kept && setup.enforces(Rule.DURABLE_BEFORE_ACKNOWLEDGED) ? durable : log.end();
  }

  private void append(JournalRecord record, long end, Effects out) {
    number = record.number();
    long token = tokens.getAsLong();
    pending.addLast(new Pending(token, end));
    out.append(token, record);
  }

  /** Called when an update has been added to the log. */
  public void appended(StateUpdate update, Effects out) {
    if (kept) {
      bytes += update.bytes();
      append(new JournalRecord.Appended(number + 1, update), update.index(), out);
    }
  }

  /** Called before a view is accepted as a member, and before the log drops what follows {@code start}. */
  public void entered(long view, long start, int version, Effects out) {
    if (kept) {
      long end = Math.min(log.end(), start);
      durable = Math.min(durable, end);
      List<Pending> cut = List.copyOf(pending);
      pending.clear();
      cut.forEach(entry -> pending.addLast(new Pending(entry.token(), Math.min(entry.end(), end))));
      epoch = view;
      wire = version;
      needed = 0;
      append(new JournalRecord.Entered(number + 1, view, start, version), end, out);
    }
  }

  /** Called when this replica's state is void until it is brought up to date. */
  public void voided(Effects out) {
    if (kept && epoch > 0) {
      endCheckpoint();
      epoch = 0;
      append(new JournalRecord.Voided(number + 1), log.end(), out);
    }
  }

  /**
   * Called when a state transfer has replaced state and log: the whole checkpoint is appended at once, so that a promise which is
   * given next is stored behind it.
   */
  public void replaced(long view, int version, long neededUpTo, Effects out) {
    if (!kept) {
      return;
    }
    endCheckpoint();
    pending.clear();
    durable = 0;
    epoch = view;
    wire = version;
    needed = neededUpTo;
    beginCheckpoint();
    while (items != null) {
      appendPart(out);
    }
  }

  /** Called when records up to this token are durable. Continues a checkpoint, or begins one that is due. */
  public void stored(long token, Effects out) {
    while (!pending.isEmpty() && pending.peekFirst().token() <= token) {
      durable = pending.pollFirst().end();
    }
    if (!kept) {
      return;
    }
    boolean due = bytes > Math.max(setup.limits().logBytes(), GROWTH * checkpointBytes);
    if (items == null && due && epoch > 0 && log.end() >= needed) {
      beginCheckpoint();
    }
    if (items != null) {
      appendPart(out);
    }
  }

  // ------------------------------------------------------------------------------------------------ checkpoints

  private void beginCheckpoint() {
    bytes = 0;
    checkpointBytes = 0;
    long upTo = Math.min(state.applied(), log.stable());
    StateItems snapshot = state.snapshot(true, Holdings.NOTHING, log.stable(), wire);
    items = new ItemsWithTail(snapshot, log.after(upTo, Integer.MAX_VALUE));
    ahead = items.next();
    head =
        new JournalRecord.Part(
            0, number + 1, false, epoch, wire, state.applied(), log.stable(), log.end() < needed ? needed : 0, List.of());
  }

  private void appendPart(Effects out) {
    List<Item> part = new ArrayList<>();
    for (long size = 0; ahead != null; ahead = items.next()) {
      size += ahead.encodedBytes();
      if (!part.isEmpty() && size > setup.limits().chunkBytes()) {
        break;
      }
      checkpointBytes += ahead.encodedBytes();
      part.add(ahead);
    }
    boolean last = ahead == null;
    JournalRecord.Part record =
        new JournalRecord.Part(
            number + 1, head.first(), last, head.epoch(), head.wire(), head.index(), head.stable(), head.needed(), part);
    append(record, last ? log.end() : pending.isEmpty() ? durable : pending.peekLast().end(), out);
    if (last) {
      endCheckpoint();
    }
  }

  private void endCheckpoint() {
    if (items != null) {
      items.close();
      items = null;
      ahead = null;
      head = null;
    }
  }
}
