package org.understudy.lab.durability.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TwiceKeptCounterServiceTest {
  private final CounterSetState replicated = new CounterSetState();
  private final CounterSetState stored = new CounterSetState();
  private final TwiceKeptCounterService service = new TwiceKeptCounterService(replicated, stored);

  @Test
  void bothSetsHaveEachAddition() {
    assertEquals(5, service.add(1, 5));
    assertEquals(12, service.add(1, 7));
    assertEquals(12, replicated.value(1));
    assertEquals(12, stored.value(1));
  }

  @Test
  void theNextRequestFindsHalfAnUpdate() {
    service.add(1, 5);
    stored.setValue(1, 12);
    assertEquals(TwiceKeptCounterService.HALF, service.add(1, 1));
    assertEquals(TwiceKeptCounterService.HALF, service.value(1));
    assertEquals(5, replicated.value(1), "nothing is changed");
    assertEquals(12, stored.value(1), "nothing is changed");
    assertEquals(0, service.value(2), "another counter is not affected");
  }
}
