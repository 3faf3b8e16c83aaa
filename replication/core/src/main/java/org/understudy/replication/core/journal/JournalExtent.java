package org.understudy.replication.core.journal;

import java.util.List;
import org.understudy.replication.core.store.Item;

/**
 * The state that successive records of a journal hold.
 *
 * @param first the number of the first record that is part of it: of a checkpoint, or 1
 * @param epoch the last view that the records enter
 * @param wire the wire version of that view
 * @param end the last update
 */
public record JournalExtent(long first, long epoch, int wire, long end) {
  /** Returns null if the records hold no whole state. */
  public static JournalExtent of(List<JournalRecord> records) {
    long from = 0;
    for (JournalRecord record : records) {
      from = Math.max(from, record.redundantBelow());
    }
    long first = Math.max(1, from);
    if (records.isEmpty() || records.get(0).number() > first) {
      return null;
    }
    JournalExtent extent = new JournalExtent(first, 0, 0, 0);
    long needed = 0;
    for (JournalRecord record : records) {
      if (record.number() < first) {
        continue;
      }
      if (record instanceof JournalRecord.Part part && part.first() == first) {
        extent = extent.with(part);
        needed = part.needed();
      } else if (record instanceof JournalRecord.Entered entered) {
        extent = new JournalExtent(first, entered.epoch(), entered.wire(), Math.min(extent.end, entered.start()));
        needed = 0;
      } else if (record instanceof JournalRecord.Appended appended && appended.update().index() > extent.end) {
        if (appended.update().index() != extent.end + 1) {
          return null;
        }
        extent = new JournalExtent(first, extent.epoch, extent.wire, extent.end + 1);
      } else if (record instanceof JournalRecord.Voided) {
        return null;
      }
    }
    return extent.epoch > 0 && extent.end >= needed ? extent : null;
  }

  private JournalExtent with(JournalRecord.Part part) {
    long last = Math.max(end, part.index());
    for (Item item : part.items()) {
      if (item instanceof Item.Unstable unstable) {
        last = Math.max(last, unstable.update().index());
      }
    }
    return new JournalExtent(first, part.epoch(), part.wire(), last);
  }
}
