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

/**
 * The clients of one group, each with a thread of its own. Not thread-safe.
 *
 * @param <C> a client; closed with this
 */
final class Clients<C extends AutoCloseable> implements AutoCloseable {
  private final List<C> clients;
  private final ExecutorService threads;

  Clients(List<C> clients) {
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
  <T> List<T> together(int count, Work<C, T> work) throws IOException, InterruptedException {
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

  /** All clients; none works. */
  List<C> all() {
    return clients;
  }

  /** What one client does. */
  interface Work<C, T> {
    T of(C client, int number) throws IOException, InterruptedException;
  }

  @Override
  public void close() {
    threads.shutdownNow();
    for (C client : clients) {
      try {
        client.close();
      } catch (Exception e) {
        System.err.println("A client cannot be closed: " + e.getMessage());
      }
    }
  }
}
