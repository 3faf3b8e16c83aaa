package org.understudy.lab.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.understudy.thread.DaemonThreads;

/** The clients of one Matchmaker, each with a thread of its own. Not thread-safe. */
final class Clients implements AutoCloseable {
  private final List<MatchmakerClient> clients;
  private final ExecutorService threads;

  Clients(List<MatchmakerClient> clients) {
    this.clients = clients;
    this.threads = Executors.newFixedThreadPool(clients.size(), task -> DaemonThreads.daemon("client", task));
  }

  /**
   * Lets some clients work at the same time, and waits for all.
   *
   * @param work of the client with a number from 0
   * @return what each has returned
   * @throws IOException when one fails
   */
  <T> List<T> together(int count, Work<T> work) throws IOException, InterruptedException {
    List<Callable<T>> tasks = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      tasks.add(() -> work.of(clients.get(number), number));
    }
    List<T> results = new ArrayList<>();
    for (Future<T> one : threads.invokeAll(tasks)) {
      try {
        results.add(one.get());
      } catch (ExecutionException e) {
        throw new IOException(e.getCause().getMessage(), e.getCause());
      }
    }
    return results;
  }

  /** What one client does. */
  interface Work<T> {
    T of(MatchmakerClient client, int number) throws IOException, InterruptedException;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    clients.forEach(MatchmakerClient::close);
  }
}
