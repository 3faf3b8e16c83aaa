package org.understudy.replication.core.journal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** Which parts of a journal hold a state, and how far that goes. */
class JournalExtentTest {
  private static StateUpdate update(long index) {
    return new StateUpdate(
        index, Request.Kind.UPDATE, null, 0, 0, "", 0, new Response((byte) 0, new byte[0]),
        List.of(new StateChange("a", new byte[1])), Eviction.NONE);
  }

  private static JournalRecord appended(long number, long index) {
    return new JournalRecord.Appended(number, update(index));
  }

  private static JournalRecord entered(long number, long epoch, long start) {
    return new JournalRecord.Entered(number, epoch, start, 3);
  }

  private static JournalRecord part(long number, long first, boolean last, long needed, Item... items) {
    return new JournalRecord.Part(number, first, last, 5, 2, 40, 40, needed, List.of(items));
  }

  @Test
  void recordsFromTheFirstOneHoldAState() {
    assertEquals(
        new JournalExtent(1, 2, 3, 2), JournalExtent.of(List.of(entered(1, 1, 0), appended(2, 1), entered(3, 2, 1), appended(4, 2))));
  }

  @Test
  void laterViewVoidsUpdatesAfterItsStart() {
    assertEquals(
        new JournalExtent(1, 2, 3, 1), JournalExtent.of(List.of(entered(1, 1, 0), appended(2, 1), appended(3, 2), entered(4, 2, 1))));
  }

  @Test
  void wholeCheckpointHoldsAState() {
    assertEquals(
        new JournalExtent(8, 5, 2, 43),
        JournalExtent.of(
            List.of(
                appended(7, 30), part(8, 8, false, 0), part(9, 8, true, 0, new Item.Unstable(update(41)), new Item.Unstable(update(42))),
                appended(10, 43))));
  }

  @Test
  void otherPartsHoldNone() {
    assertNull(JournalExtent.of(List.of()));
    assertNull(JournalExtent.of(List.of(appended(7, 30), entered(8, 2, 30))), "no beginning");
    assertNull(JournalExtent.of(List.of(part(9, 8, true, 0), entered(10, 6, 40))), "half a checkpoint");
    assertNull(JournalExtent.of(List.of(part(8, 8, true, 60), appended(9, 41))), "a joiner that lacks updates");
    assertNull(JournalExtent.of(List.of(entered(1, 1, 0), appended(2, 2))), "a gap");
    assertNull(JournalExtent.of(List.of(entered(1, 1, 0), new JournalRecord.Voided(2))), "void");
    assertNull(JournalExtent.of(List.of(appended(1, 1))), "no view");
  }
}
