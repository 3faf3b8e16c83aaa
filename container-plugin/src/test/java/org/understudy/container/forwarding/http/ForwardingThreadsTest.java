package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ForwardingThreadsTest {
  private final CountDownLatch stuck = new CountDownLatch(1);
  private final List<String> begun = new CopyOnWriteArrayList<>();

  private Runnable stuck(String name, CountDownLatch started) {
    return () -> {
      begun.add(name);
      started.countDown();
      try {
        stuck.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertTrue(latch.await(30, TimeUnit.SECONDS));
  }

  @Test
  void stuckClientUsesAtMostHalfOfTheThreads() throws Exception {
    try (ForwardingThreads threads = new ForwardingThreads(4, 40)) {
      CountDownLatch hostile = new CountDownLatch(2);
      for (int i = 0; i < 10; i++) {
        assertTrue(threads.execute("hostile", stuck("hostile", hostile)));
      }
      await(hostile);
      CountDownLatch honest = new CountDownLatch(1);
      threads.execute("honest", honest::countDown);
      await(honest);
      assertEquals(List.of("hostile", "hostile"), begun);
    }
  }

  @Test
  void requestWithoutThreadGetsOneWhenAllAreBusy() throws Exception {
    try (ForwardingThreads threads = new ForwardingThreads(4, 40)) {
      CountDownLatch all = new CountDownLatch(4);
      for (String owner : List.of("a", "a", "b", "b")) {
        threads.execute(owner, stuck(owner, all));
      }
      await(all);
      CountDownLatch honest = new CountDownLatch(1);
      threads.execute("honest", honest::countDown);
      await(honest);
    }
  }

  @Test
  void whatWaitsIsBoundedForOneClientAndBeginsWhenItsTurnComes() throws Exception {
    try (ForwardingThreads threads = new ForwardingThreads(2, 8)) {
      CountDownLatch first = new CountDownLatch(1);
      threads.execute("a", stuck("a", first));
      await(first);
      CountDownLatch second = new CountDownLatch(1);
      Runnable removed = () -> begun.add("removed");
      assertTrue(threads.execute("a", removed));
      assertTrue(threads.execute("a", second::countDown));
      assertFalse(threads.execute("a", () -> begun.add("too many")));
      threads.remove("a", removed);
      stuck.countDown();
      await(second);
      assertEquals(List.of("a"), begun);
    }
  }
}
