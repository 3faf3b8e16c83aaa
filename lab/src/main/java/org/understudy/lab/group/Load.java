package org.understudy.lab.group;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.http.ConnectionRefusedException;
import org.understudy.lab.report.Samples;
import org.understudy.replication.api.ReadLevel;
import org.understudy.thread.DaemonThreads;

/** Loads one set-up with clients that send their next request when they have the response, for some time. */
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

  /**
   * Runs the clients at the same time.
   *
   * @throws IOException when a request fails for another reason than a refused connection
   */
  static void run(List<CounterClient> clients, Mix mix, long millis, Point point) throws IOException, InterruptedException {
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
    private IOException failure;

    void run(CounterClient client, Mix mix, long offset, long millis, CountDownLatch start) {
      try {
        start.await();
        long begin = System.nanoTime();
        long end = begin + TimeUnit.MILLISECONDS.toNanos(millis);
        for (long number = offset; begin < end; number++) {
          one(client, mix, number);
          long now = System.nanoTime();
          samples.add(now - begin);
          begin = now;
        }
      } catch (IOException e) {
        failure = e;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    private void one(CounterClient client, Mix mix, long number) throws IOException {
      try {
        if (mix.isWrite(number)) {
          client.add();
          writes++;
          executions += client.executions();
        } else {
          client.read(mix.level());
        }
      } catch (ConnectionRefusedException e) {
        refused++;
      }
    }

    void addTo(Point point) throws IOException {
      if (failure != null) {
        throw failure;
      }
      point.add(samples, writes, executions, refused);
    }
  }
}
