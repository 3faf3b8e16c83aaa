package org.understudy.lab.transfer;

import java.io.BufferedWriter;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.lab.report.Samples;
import org.understudy.lab.transfer.TransferBench.Stopped;

/** Clients that update a small counter each, one update after the other, and check each result. */
final class Writers implements AutoCloseable {
  private static final URL CONTRACT = CounterPortType.class.getResource("/wsdl/counter.wsdl");

  /** One answered update. */
  private record Update(int client, long begin, long end) {}

  private final List<FaultTolerantGroup> groups = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();
  private final ConcurrentLinkedQueue<Update> updates = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;
  private volatile RuntimeException failure;

  /** @param services the replicas' URLs as each client prefers them */
  Writers(List<List<URI>> services) {
    for (List<URI> preferred : services) {
      FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(preferred));
      groups.add(group);
      CounterPortType factory = group.client(CounterPortType.class, CONTRACT);
      CounterPortType counter =
          group.client(CounterPortType.class, CONTRACT, factory.createCounter(new CreateCounter())
              .getEndpointReference());
      threads.add(writer(counter, groups.size()));
    }
    threads.forEach(Thread::start);
  }

  private Thread writer(CounterPortType counter, int client) {
    return new Thread(() -> write(counter, client), "writer " + client);
  }

  private void write(CounterPortType counter, int client) {
    try {
      for (int expected = 1; !ended; expected++) {
        long begin = System.nanoTime();
        int total = counter.add(1);
        updates.add(new Update(client, begin, System.nanoTime()));
        if (total != expected) {
          throw new IllegalStateException("A counter returned " + total + "; expected was " + expected + ".");
        }
      }
    } catch (Exception e) {
      failure = new IllegalStateException("A client's update failed: " + e.getMessage(), e);
    }
  }

  /** The updates that were in progress between two times of {@link System#nanoTime}. Blocks until none of them is open. */
  Samples between(long from, long to) throws InterruptedException, Stopped {
    Thread.sleep(500);
    if (failure != null) {
      throw new Stopped(failure.getMessage());
    }
    Samples samples = new Samples();
    for (Update update : updates) {
      if (update.end() >= from && update.begin() <= to) {
        samples.add(update.end() - update.begin());
      }
    }
    return samples;
  }

  /** Writes all updates that have ended: client, begin and end in ns of {@link System#nanoTime}, with commas between. */
  void write(Path file) throws IOException {
    try (BufferedWriter out = Files.newBufferedWriter(file)) {
      for (Update update : updates) {
        out.write(update.client() + "," + update.begin() + "," + update.end() + "\n");
      }
    }
  }

  @Override
  public void close() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
    groups.forEach(FaultTolerantGroup::close);
  }
}
