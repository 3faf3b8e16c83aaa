package org.understudy.replication.core.transfer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateUpdate;

class UpdateLogTest {
  private UpdateLog log;

  @BeforeEach
  void begin() {
    log = new UpdateLog();
  }

  private static StateUpdate update(long index, int bytes) {
    return new StateUpdate(
        index, Request.Kind.UPDATE, null, 0, 0, "", new Response((byte) 0, new byte[bytes]), List.of());
  }

  private void add(long from, long to) {
    for (long index = from; index <= to; index++) {
      log.add(update(index, (int) index));
    }
  }

  private List<Long> after(long index, int most) {
    return log.after(index, most).stream().map(StateUpdate::index).toList();
  }

  @Test
  void emptyLogReachesOnlyItsEnd() {
    assertEquals(0, log.end());
    assertTrue(log.reaches(0));
    assertEquals(List.of(), after(0, 10));
    log.reset(7);
    assertEquals(7, log.end());
    assertFalse(log.reaches(6), "update 7 is in the snapshot, not in the log");
    assertTrue(log.reaches(7));
    assertTrue(log.reaches(8), "somebody who holds more lacks nothing");
  }

  @Test
  void reachesIndexesWithoutDroppedSuccessors() {
    add(1, 10);
    log.forgetUpTo(4);
    assertFalse(log.reaches(3), "update 4 is gone");
    assertTrue(log.reaches(4));
    assertEquals(List.of(5L, 6L), after(4, 2));
    assertEquals(List.of(5L, 6L, 7L, 8L, 9L, 10L), after(0, 100), "what is kept, although update 1 to 4 are not");
    assertEquals(List.of(10L), after(9, 5));
    assertEquals(List.of(), after(10, 5));
    log.forgetUpTo(10);
    assertEquals(10, log.end(), "the end is known though the log is empty");
    assertTrue(log.reaches(10));
    assertFalse(log.reaches(9));
    assertEquals(0, log.bytes());
  }

  @Test
  void truncationLowersTheEnd() {
    add(1, 10);
    log.stable(6);
    log.truncate(8);
    assertEquals(8, log.end());
    assertEquals(List.of(7L, 8L), after(6, 10));
    assertEquals(update(7, 7).bytes() + update(8, 8).bytes(), log.unstableBytes());
    add(9, 9);
    assertEquals(List.of(9L), after(8, 10), "another update 9");
    log.truncate(20);
    assertEquals(9, log.end(), "nothing is there to be taken back");
  }

  @Test
  void stableIsIdempotentAndMonotonic() {
    add(1, 5);
    log.stable(3);
    log.stable(2);
    log.stable(3);
    assertEquals(update(4, 4).bytes() + update(5, 5).bytes(), log.unstableBytes());
    log.stable(100);
    assertEquals(0, log.unstableBytes(), "a stable index above the end");
    add(6, 6);
    assertEquals(update(6, 6).bytes(), log.unstableBytes());
  }

  @Test
  void droppedUnstableUpdatesCountUntilStable() {
    add(1, 4);
    log.forgetUpTo(2);
    assertEquals(update(3, 3).bytes() + update(4, 4).bytes(), log.bytes());
    log.stable(2);
    assertEquals(log.bytes(), log.unstableBytes());
  }

  /** Compares the log with a linearly searched list of all updates. */
  @Test
  void countsLikeANaiveLog() {
    for (long seed = 1; seed <= 50; seed++) {
      begin();
      Random random = new Random(seed);
      List<StateUpdate> kept = new ArrayList<>();
      long end = 0;
      long stable = 0;
      for (int step = 0; step < 500; step++) {
        int what = random.nextInt(10);
        if (what < 6) {
          StateUpdate next = update(++end, random.nextInt(100));
          log.add(next);
          kept.add(next);
        } else if (what == 6) {
          stable = Math.max(stable, end - random.nextInt(20));
          log.stable(stable);
        } else if (what == 7) {
          long upTo = stable - random.nextInt(10);
          log.forgetUpTo(upTo);
          kept.removeIf(update -> update.index() <= upTo);
        } else if (what == 8) {
          // Stable updates are never truncated.
          long from = Math.max(stable, end - random.nextInt(5));
          log.truncate(from);
          kept.removeIf(update -> update.index() > from);
          end = from;
        } else if (random.nextInt(20) == 0) {
          end += random.nextInt(100);
          stable = end;
          log.reset(end);
          kept.clear();
        }
        String when = "seed " + seed + ", step " + step;
        long last = stable;
        assertEquals(end, log.end(), when);
        assertEquals(kept.stream().mapToLong(StateUpdate::bytes).sum(), log.bytes(), when);
        assertEquals(
            kept.stream().filter(update -> update.index() > last).mapToLong(StateUpdate::bytes).sum(),
            log.unstableBytes(), when);
        assertEquals(kept, log.after(0, Integer.MAX_VALUE), when);
      }
    }
  }
}
