package org.understudy.container.balancing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.LoadBoard;

class OwnLoadTest {
  @Test
  void requestsInProgressAreTheDefaultIndex() {
    AtomicInteger requests = new AtomicInteger(3);
    OwnLoad load = new OwnLoad(requests::get, null);
    assertEquals(3, load.current(), "without a measurement before");
    requests.set(4);
    assertEquals(4, load.current());
    assertEquals(4, load.measure());
  }

  @Test
  void anInstalledIndexIsMeasuredByTheClockOnly() {
    TestLoadIndex index = new TestLoadIndex();
    index.set(70);
    OwnLoad load = new OwnLoad(() -> 0, index);
    assertEquals(LoadBoard.UNKNOWN, load.current());
    assertEquals(70, load.measure());
    index.set(80);
    assertEquals(70, load.current());
    index.set(-5);
    assertEquals(LoadBoard.UNKNOWN, load.measure());
  }

  @Test
  void anIndexThatFailsIsUnknown() {
    TestLoadIndex index = new TestLoadIndex();
    index.set(70);
    OwnLoad load = new OwnLoad(() -> 0, index);
    load.measure();
    index.fail();
    assertEquals(LoadBoard.UNKNOWN, load.measure());
    assertEquals(LoadBoard.UNKNOWN, load.current());
  }
}
