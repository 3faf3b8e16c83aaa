package org.understudy.lab.torture.replica;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.WritableReport;
import org.understudy.thread.DaemonThreads;

/** Asks all replicas all the time whether they are writable, each by a thread of its own, as a load balancer does. Thread-safe. */
public final class WritableReports implements AutoCloseable {
  private static final long PAUSE_MS = 25;

  private final List<WritableReport> reports = new ArrayList<>();
  private final List<Thread> threads = new ArrayList<>();

  /** Begins to ask. */
  public WritableReports(Replicas replicas, History history) {
    for (int n = 1; n <= replicas.count(); n++) {
      int number = n;
      threads.add(DaemonThreads.daemon("torture-writable-" + n, () -> ask(replicas, number, history)));
    }
    threads.forEach(Thread::start);
  }

  private void ask(Replicas replicas, int number, History history) {
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        long invoked = history.now();
        try {
          JsonNode health = replicas.health(number);
          if (health.path("writable").asBoolean()) {
            add(new WritableReport(number, health.path("epoch").asLong(), invoked, history.now()));
          }
        } catch (IOException e) {
          // It does not answer now.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void add(WritableReport report) {
    reports.add(report);
  }

  /** Returns the reports so far. */
  public synchronized List<WritableReport> reports() {
    return List.copyOf(reports);
  }

  @Override
  public void close() {
    threads.forEach(Thread::interrupt);
  }
}
