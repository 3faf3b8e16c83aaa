package org.understudy.lab.durability;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * The groups of one part of the bench, each with its clients. {@link #close} stops them, and so does the end of the program.
 *
 * @param <S> what is compared
 * @param <C> a client
 */
final class Groups<S extends Enum<S>, C extends AutoCloseable> implements AutoCloseable {
  private final Map<S, Clients<C>> clients;
  private final List<Deployment> deployments = new ArrayList<>();
  private final Thread end = new Thread(this::down, "end of groups");

  /** Makes the clients of a group that is up. */
  interface ClientFactory<C> {
    List<C> clients(Deployment deployment) throws IOException;
  }

  Groups(Class<S> setups) {
    clients = new EnumMap<>(setups);
    // Also when the program is interrupted.
    Runtime.getRuntime().addShutdownHook(end);
  }

  /** Starts a group, and makes its clients. */
  void up(S setup, String label, Deployment deployment, ClientFactory<C> factory) throws IOException, InterruptedException {
    System.err.println("Starting " + label + " …");
    synchronized (deployments) {
      deployments.add(deployment);
    }
    deployment.up();
    clients.put(setup, new Clients<>(factory.clients(deployment)));
  }

  Map<S, Clients<C>> clients() {
    return clients;
  }

  @Override
  public void close() {
    clients.values().forEach(Clients::close);
    down();
    try {
      Runtime.getRuntime().removeShutdownHook(end);
    } catch (IllegalStateException e) {
      // The program is being interrupted, and the hook runs too.
      Thread.currentThread().interrupt();
    }
  }

  private void down() {
    List<Deployment> all;
    synchronized (deployments) {
      all = List.copyOf(deployments);
    }
    for (Deployment one : all) {
      try {
        one.down();
      } catch (IOException e) {
        System.err.println(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
