package org.understudy.thread;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class ThreadsTest {
  @Test
  void joinWaitsForTheThreadsOfAnExecutor() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    ExecutorService executor = Executors.newSingleThreadExecutor(new DaemonThreads("task-"));
    executor.execute(() -> {
      begun.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        interrupted.countDown();
        awaitUninterruptibly(mayEnd);
      }
    });
    begun.await();
    executor.shutdownNow();
    interrupted.await();
    DaemonThreads.daemon("release", mayEnd::countDown).start();
    Threads.join("The task", executor);
    assertTrue(executor.isTerminated());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
