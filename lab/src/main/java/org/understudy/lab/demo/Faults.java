package org.understudy.lab.demo;

import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The faults that the demonstration causes, and whether the clients that prefer the replica follow each of them to another one.
 * Thread-safe.
 */
final class Faults {
  private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long PAUSE_MS = 10;

  /** Of each client: the replicas that serve its requests, in the order in which it tries them. */
  private final List<Supplier<List<URI>>> clients = new ArrayList<>();
  private int caused;
  private int followed;

  /** A fault of one replica, and the clients that preferred it. */
  final class Fault {
    private final URI address;
    private final List<Supplier<List<URI>>> served;

    Fault(URI address, List<Supplier<List<URI>>> served) {
      this.address = address;
      this.served = served;
    }

    /** Waits until each client prefers another replica; otherwise the fault is not followed. Call it before the replica is back. */
    void awaitFollowed() throws InterruptedException {
      long end = System.nanoTime() + DEADLINE_NANOS;
      for (Supplier<List<URI>> client : served) {
        while (prefers(client, address)) {
          if (System.nanoTime() - end > 0) {
            return;
          }
          TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
        }
      }
      addFollowed();
    }
  }

  /** @param servers returns the replicas that serve a client's requests, in the order in which it tries them */
  synchronized void add(Supplier<List<URI>> servers) {
    clients.add(servers);
  }

  /**
   * Called before a fault of a replica.
   *
   * @param address of the replica
   * @param hasClients whether clients prefer it: then this waits until one knows that it serves
   */
  Fault causes(int replica, URI address, boolean hasClients) throws IOException, InterruptedException {
    long end = System.nanoTime() + DEADLINE_NANOS;
    List<Supplier<List<URI>>> served = clientsOf(address);
    while (hasClients && served.isEmpty()) {
      if (System.nanoTime() - end > 0) {
        throw new IOException("No client prefers replica " + replica + ", which has been in the view for 60 s.");
      }
      TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      served = clientsOf(address);
    }
    synchronized (this) {
      caused++;
    }
    return new Fault(address, served);
  }

  private synchronized List<Supplier<List<URI>>> clientsOf(URI address) {
    return clients.stream().filter(client -> prefers(client, address)).toList();
  }

  private static boolean prefers(Supplier<List<URI>> client, URI address) {
    List<URI> servers = client.get();
    return !servers.isEmpty() && servers.get(0).equals(address);
  }

  private synchronized void addFollowed() {
    followed++;
  }

  /** The faults that all clients of the replica followed. */
  synchronized int followed() {
    return followed;
  }

  synchronized boolean areFollowed() {
    return followed == caused;
  }

  @Override
  public synchronized String toString() {
    return followed + " of " + caused;
  }
}
