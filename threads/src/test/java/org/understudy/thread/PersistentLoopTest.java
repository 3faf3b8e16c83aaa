package org.understudy.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PersistentLoopTest {
  @Test
  void aLoopBeginsAgainAfterAnErrorAndEndsWhenItReturns() {
    AtomicInteger runs = new AtomicInteger();
    new PersistentLoop("The loop of a test", () -> {
      switch (runs.incrementAndGet()) {
        case 1 -> throw new NoClassDefFoundError("for the test");
        case 2 -> throw new OutOfMemoryError("for the test");
        case 3 -> throw new IllegalStateException("for the test");
        default -> { }
      }
    }).run();
    assertEquals(4, runs.get());
  }

  @Test
  void anInterruptedLoopDoesNotBeginAgain() {
    AtomicInteger runs = new AtomicInteger();
    Thread.currentThread().interrupt();
    new PersistentLoop("The loop of a test", () -> {
      runs.incrementAndGet();
      throw new IllegalStateException("for the test");
    }).run();
    assertEquals(1, runs.get());
    assertTrue(Thread.interrupted(), "the interruption was lost");
  }
}
