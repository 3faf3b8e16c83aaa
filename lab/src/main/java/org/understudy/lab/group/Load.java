package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.group.client.CounterClient;
import org.understudy.lab.http.ConnectionRefusedException;
import org.understudy.lab.report.Samples;
import org.understudy.replication.api.ReadLevel;
import org.understudy.thread.DaemonThreads;

/**
 * Loads one set-up with clients that send their next request when they have the response, for some time. Each client connects for this
 * time only: servers close connections that are idle for longer than their keepAliveTimeout.
 */
final class Load {
  /**
   * The requests of each client.
   *
   * @param writes the percentage of updates, spread evenly
   * @param level of the reads
   */
  record Mix(int writes, ReadLevel level) {
    /** Whether the request with this number is an update. */
    boolean isWrite(long number) {
      return (number + 1) * writes / 100 > number * writes / 100;
    }
  }

  private Load() {}

  /** Runs the clients at the same time. Requests that fail are counted, and not sent again. */
  static void run(List<CounterClient> clients, Mix mix, long millis, Point point) throws InterruptedException {
    CountDownLatch start = new CountDownLatch(1);
    List<Outcome> outcomes = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (CounterClient client : clients) {
      Outcome outcome = new Outcome();
      outcomes.add(outcome);
      long offset = outcomes.size() * 37L;
      Thread thread = DaemonThreads.daemon("client-" + outcomes.size(), () -> outcome.run(client, mix, offset, millis, start));
      threads.add(thread);
      thread.start();
    }
    long begin = System.nanoTime();
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    point.addNanos(System.nanoTime() - begin);
    for (Outcome outcome : outcomes) {
      outcome.addTo(point);
    }
  }

  /** What one client saw. Its thread writes; read when that has ended. */
  private static final class Outcome {
    private final Samples samples = new Samples();
    private long writes;
    private long executions;
    private long refused;
    private long failed;

    void run(CounterClient client, Mix mix, long offset, long millis, CountDownLatch start) {
      try {
        start.await();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long number = offset; begin < end; number++) {
          boolean answered = one(client, mix, number);
          long now = System.nanoTime();
          if (answered) {
            samples.add(now - begin);
          }
          begin = now;
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        client.disconnect();
      }
    }

    private boolean one(CounterClient client, Mix mix, long number) {
      try {
        if (mix.isWrite(number)) {
          client.add();
          writes++;
          executions += client.executions();
        } else {
          client.read(mix.level());
        }
        return true;
      } catch (ConnectionRefusedException e) {
        refused++;
      } catch (IOException e) {
        failed++;
      }
      return false;
    }

    void addTo(Point point) {
      point.add(samples, writes, executions, refused, failed);
    }
  }
}
