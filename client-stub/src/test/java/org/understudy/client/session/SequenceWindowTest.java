package org.understudy.client.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** AckBelow lets the group forget replies: too high, and a retry's answer is lost. */
class SequenceWindowTest {
  private final SequenceWindow window = new SequenceWindow();

  private void begin(int count) {
    for (int i = 0; i < count; i++) {
      window.begin();
    }
  }

  @Test
  void numbersBeginAtOneAndNoneIsAcknowledgedBeforeItIsCompleted() {
    assertEquals(1, window.ackBelow());
    assertEquals(1, window.begin());
    assertEquals(2, window.begin());
    assertEquals(1, window.ackBelow());
  }

  @Test
  void ackBelowStopsAtTheLowestOpenNumber() {
    begin(5);
    window.complete(2);
    window.complete(3);
    assertEquals(1, window.ackBelow(), "1 is open");
    window.complete(1);
    assertEquals(4, window.ackBelow(), "over all that were completed before it");
    window.complete(5);
    assertEquals(4, window.ackBelow());
    window.complete(4);
    assertEquals(6, window.ackBelow(), "and not above what was begun");
  }

  @Test
  void completingAgainChangesNothing() {
    begin(3);
    window.complete(1);
    window.complete(1);
    window.complete(3);
    window.complete(3);
    assertEquals(2, window.ackBelow());
    for (long sequence = 4; sequence <= 20_000; sequence++) {
      window.begin();
      window.complete(sequence);
    }
    window.complete(2);
    assertEquals(20_001, window.ackBelow());
    window.complete(1);
    window.complete(2);
    assertEquals(20_001, window.ackBelow(), "long after the number was dropped from the set");
  }

  @Test
  void longOpenNumberHoldsAckBelow() {
    begin(30_000);
    for (long sequence = 2; sequence <= 30_000; sequence++) {
      window.complete(sequence);
    }
    assertEquals(1, window.ackBelow());
    window.complete(1);
    assertEquals(30_001, window.ackBelow());
    assertEquals(30_001, window.begin());
    window.complete(30_001);
    assertEquals(30_002, window.ackBelow());
  }

  /** Against a set of all that are open. */
  @Test
  void ackBelowIsTheLowestOpenNumber() {
    for (long seed = 1; seed <= 20; seed++) {
      Random random = new Random(seed);
      SequenceWindow one = new SequenceWindow();
      TreeSet<Long> open = new TreeSet<>();
      long next = 1;
      for (int step = 0; step < 30_000; step++) {
        if (open.isEmpty() || (open.size() < 200 && random.nextBoolean())) {
          assertEquals(next, one.begin());
          open.add(next++);
        } else {
          // Mostly old ones, now and then any.
          Long pick = open.first();
          if (random.nextInt(3) == 0) {
            pick = open.floor(open.first() + random.nextInt((int) (open.last() - open.first() + 1)));
          }
          open.remove(pick);
          one.complete(pick);
        }
        assertEquals(open.isEmpty() ? next : open.first(), one.ackBelow(), "seed " + seed + ", step " + step);
      }
    }
  }

  @Test
  void concurrentThreadsNeverAcknowledgeOpenNumbers() throws Exception {
    Set<Long> given = ConcurrentHashMap.newKeySet();
    AtomicBoolean wrong = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      Thread thread = new Thread(() -> {
        long before = 0;
        for (int k = 0; k < 20_000; k++) {
          long sequence = window.begin();
          long below = window.ackBelow();
          if (!given.add(sequence) || below > sequence || below < before) {
            wrong.set(true);
          }
          before = below;
          window.complete(sequence);
        }
      });
      thread.start();
      threads.add(thread);
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertTrue(!wrong.get(), "a number twice, an open one acknowledged, or going back");
    assertEquals(80_001, window.ackBelow());
  }
}
