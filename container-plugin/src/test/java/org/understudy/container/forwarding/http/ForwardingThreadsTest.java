package org.understudy.container.forwarding.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.understudy.test.Condition;

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
    try (ForwardingThreads threads = new ForwardingThreads(4, 40, 4)) {
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
    try (ForwardingThreads threads = new ForwardingThreads(4, 40, 4)) {
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
    try (ForwardingThreads threads = new ForwardingThreads(2, 8, 4)) {
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

  @Test
  void tasksSetAsideMakePlaceForOthersOfTheirClient() throws Exception {
    try (ForwardingThreads threads = new ForwardingThreads(4, 40, 4)) {
      CountDownLatch two = new CountDownLatch(2);
      CountDownLatch four = new CountDownLatch(4);
      Runnable first = stuck("first", two);
      Runnable second = stuck("second", two);
      Runnable third = stuck("third", four);
      Runnable fourth = stuck("fourth", four);
      List.of(first, second, third, fourth).forEach(task -> assertTrue(threads.execute("a", task)));
      await(two);
      assertEquals(List.of("first", "second"), begun.stream().sorted().toList());
      threads.setAside("a", first);
      threads.setAside("a", first);
      threads.setAside("a", second);
      CountDownLatch fifth = new CountDownLatch(1);
      Condition.await("the others run", () -> four.getCount() == 2);
      threads.execute("a", fifth::countDown);
      // Half of the places aside are taken.
      threads.setAside("a", third);
      assertEquals(1, fifth.getCount());
      stuck.countDown();
      await(fifth);
    }
  }

  @Test
  void endedTasksLeaveNoTrace() throws Exception {
    try (ForwardingThreads threads = new ForwardingThreads(2, 8, 2)) {
      for (int i = 0; i < 3; i++) {
        CountDownLatch begin = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Runnable task = () -> {
          begin.countDown();
          try {
            end.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        };
        assertTrue(threads.execute("a", task));
        await(begin);
        threads.setAside("a", task);
        assertTrue(threads.hasRoom());
        end.countDown();
        // Without its end, the next one could not be set aside.
        Condition.await("the task has ended", () -> threads.setAside() == 0);
        threads.setAside("a", task);
        assertEquals(0, threads.setAside());
      }
    }
  }

  /** A failure of the start must neither lose a task nor count as one that runs. */
  @Test
  void tasksBeginWhenThreadsCanBeCreatedAgain() throws Exception {
    AtomicBoolean exhausted = new AtomicBoolean();
    ThreadFactory factory =
        task -> new Thread(task) {
          @Override
          public synchronized void start() {
            if (exhausted.get()) {
              throw new OutOfMemoryError("for the test");
            }
            super.start();
          }
        };
    try (ForwardingThreads threads = new ForwardingThreads(2, 12, 4, factory)) {
      CountDownLatch first = new CountDownLatch(1);
      Runnable aside = stuck("aside", first);
      threads.execute("a", aside);
      await(first);
      CountDownLatch next = new CountDownLatch(1);
      CountDownLatch last = new CountDownLatch(1);
      assertTrue(threads.execute("a", next::countDown));
      exhausted.set(true);
      threads.setAside("a", aside);
      assertEquals(1, threads.setAside());
      assertFalse(threads.execute("b", () -> begun.add("without a thread")));
      exhausted.set(false);
      assertTrue(threads.execute("a", last::countDown));
      await(next);
      await(last);
      assertEquals(List.of("aside"), begun);
      stuck.countDown();
    }
  }
}
