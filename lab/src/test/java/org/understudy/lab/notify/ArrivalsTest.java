package org.understudy.lab.notify;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ArrivalsTest {
  private final Arrivals arrivals = new Arrivals();

  @Test
  void tellsWhenEachConsumerFirstHadTheValue() throws InterruptedException {
    arrivals.open(5, 2);
    arrivals.expect(1);
    assertTrue(arrivals.came(5, 1, 100));
    assertTrue(arrivals.came(5, 1, 200));
    assertTrue(arrivals.came(6, 1, 300));
    assertArrayEquals(new long[] {100, 300}, arrivals.await(60_000));
    assertEquals(1, arrivals.repeats());
    assertEquals(0, arrivals.gaps());
  }

  @Test
  void unresponsiveConsumersAreNotWaitedFor() throws InterruptedException {
    arrivals.open(0, 200);
    arrivals.expect(1);
    for (int consumer = 0; consumer < 200; consumer++) {
      assertEquals(consumer % 100 != 99, arrivals.came(consumer, 1, 1), "consumer " + consumer);
    }
    long[] came = arrivals.await(60_000);
    assertEquals(198, came.length);
    assertTrue(Arrays.stream(came).allMatch(time -> time == 1));
  }

  @Test
  void consumerWithoutMessageAtTheDeadlineHasNoTime() throws InterruptedException {
    arrivals.open(0, 2);
    arrivals.expect(1);
    arrivals.came(1, 1, 7);
    assertArrayEquals(new long[] {0, 7}, arrivals.await(1));
  }

  @Test
  void skippedValueIsAGap() {
    arrivals.open(0, 1);
    arrivals.came(0, 1, 1);
    arrivals.came(0, 4, 2);
    assertEquals(2, arrivals.gaps());
    arrivals.came(0, 3, 3);
    assertEquals(2, arrivals.gaps());
    assertEquals(1, arrivals.repeats());
  }

  @Test
  void earlierConsumersAreForgottenAndUnknownOnesAreStrays() {
    arrivals.open(0, 1);
    arrivals.open(1, 1);
    assertTrue(arrivals.came(0, 9, 1));
    assertEquals(0, arrivals.strays());
    assertTrue(arrivals.came(2, 9, 1));
    arrivals.unreadable();
    assertEquals(2, arrivals.strays());
    assertFalse(arrivals.gaps() > 0);
  }
}
