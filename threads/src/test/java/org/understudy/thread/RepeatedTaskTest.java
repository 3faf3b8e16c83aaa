package org.understudy.thread;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RepeatedTaskTest {
  private static void assertRepeated(Runnable failing) throws Exception {
    ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor(new DaemonThreads("timer-"));
    CountDownLatch runs = new CountDownLatch(3);
    try {
      Runnable task = new RepeatedTask("Counting", () -> {
        runs.countDown();
        failing.run();
      });
      timer.scheduleWithFixedDelay(task, 0, 1, TimeUnit.MILLISECONDS);
      assertTrue(runs.await(30, TimeUnit.SECONDS), "it was not run again");
    } finally {
      timer.shutdownNow();
    }
  }

  @Test
  void aTimerRepeatsTheTaskAfterAnException() throws Exception {
    assertRepeated(() -> {
      throw new IllegalStateException("for the test");
    });
  }

  /** An executor would drop it, and the task would have ended unnoticed. */
  @Test
  void aTimerRepeatsTheTaskAfterAnError() throws Exception {
    assertRepeated(() -> {
      throw new AssertionError("for the test");
    });
  }

  @Test
  void threadsAreDaemonsWithNumbersInTheirNames() {
    DaemonThreads threads = new DaemonThreads("named-");
    assertEquals("named-1", threads.newThread(() -> {}).getName());
    Thread second = threads.newThread(() -> {});
    assertEquals("named-2", second.getName());
    assertTrue(second.isDaemon());
  }
}
