package org.understudy.simulation;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.Set;
import org.understudy.client.invocation.NoAnswer;
import org.understudy.replication.simulation.SimulatedReplica;
import org.understudy.replication.simulation.World;

/**
 * HTTP between clients and replicas, and between replicas: a request and its answer over one connection. Cut links drop
 * both; connections break before or after the request arrives; a replica that is down refuses them, one that crashes breaks
 * the open ones. Requests with an identity are occasionally duplicated.
 */
final class Transport {
  private static final long MILLISECOND = 1_000_000;
  private static final long LOOK = 20 * MILLISECOND;
  @SuppressWarnings("StaticAssignmentOfThrowable") // Made too often for a stack trace each, and nobody reads it.
  private static final IOException LOST = new IOException("simulated: the connection is lost");

  private final ServiceSimulation simulation;
  private final World world;
  private final double breaks;
  private final Set<Exchange> open = new LinkedHashSet<>();

  /** @param breaks the share of exchanges whose connection breaks */
  Transport(ServiceSimulation simulation, double breaks) {
    this.simulation = simulation;
    this.world = simulation.world();
    this.breaks = breaks;
    world.after(LOOK, this::look);
  }

  /** Receives the outcome of an exchange: one of the two, once, unless it was aborted. */
  interface Listener {
    void answered(ServiceAnswer answer);

    void lost(NoAnswer how, IOException error);
  }

  /** One request and its answer. */
  final class Exchange {
    private final int from;
    private final int to;
    private final Listener listener;
    /** Of the replica, when the request arrived; null before. */
    private SimulatedContainer reached;
    private boolean over;

    private Exchange(int from, int to, Listener listener) {
      this.from = from;
      this.to = to;
      this.listener = listener;
    }

    /** The sending side closes the connection and receives nothing more. The request may arrive nevertheless. */
    void breakOff() {
      over = true;
      open.remove(this);
    }

    private void lost(NoAnswer how) {
      if (!over) {
        breakOff();
        listener.lost(how, LOST);
      }
    }

    private void answered(ServiceAnswer answer) {
      if (!over) {
        breakOff();
        listener.answered(answer);
      }
    }

    private void arrive(ServiceRequest request, boolean answerLost) {
      SimulatedReplica replica = simulation.replica(to);
      if (!replica.isUp()) {
        back(() -> lost(NoAnswer.NOT_SENT));
        return;
      }
      SimulatedContainer container = simulation.container(to);
      reached = container;
      replica.after(0, () -> container.receive(request, new SimulatedContainer.Client() {
        @Override
        public void answer(ServiceAnswer answer) {
          back(() -> {
            if (answerLost) {
              lost(NoAnswer.CONNECTION_LOST);
            } else {
              answered(answer);
            }
          });
        }

        @Override
        public boolean isGone() {
          return over;
        }
      }));
    }

    private void back(Runnable what) {
      simulation.network().send(to, from, what);
    }
  }

  /** Sends a request; its outcome is reported later. */
  Exchange send(int from, int to, ServiceRequest request, Listener listener) {
    Exchange exchange = new Exchange(from, to, listener);
    open.add(exchange);
    boolean breaksBefore = world.chance(breaks / 2);
    boolean breaksAfter = world.chance(breaks / 2);
    if (breaksBefore || breaksAfter) {
      simulation.count("broken connections");
    }
    if (breaksBefore) {
      world.after(world.between(MILLISECOND, 30 * MILLISECOND), () -> exchange.lost(NoAnswer.CONNECTION_LOST));
      return exchange;
    }
    deliver(exchange, request, breaksAfter);
    if (request.identified() && world.chance(0.02)) {
      // The network sends it again, possibly much later.
      if (request.operation() != null) {
        simulation.copied(request.operation());
        simulation.count("copies");
      }
      long late = world.chance(0.5) ? 0 : world.between(0, 2_000 * MILLISECOND);
      world.after(late, () -> deliver(exchange, request, breaksAfter));
    }
    return exchange;
  }

  /** At most once, because TCP makes no duplicates. */
  private void deliver(Exchange exchange, ServiceRequest request, boolean answerLost) {
    boolean[] arrived = new boolean[1];
    simulation.network().send(exchange.from, exchange.to, () -> {
      if (!arrived[0]) {
        arrived[0] = true;
        exchange.arrive(request, answerLost);
      }
    });
  }

  /** Requests waiting at a replica that has crashed fail, if the link works. */
  private void look() {
    for (Exchange exchange : new ArrayList<>(open)) {
      boolean died = exchange.reached != null && exchange.reached != simulation.container(exchange.to);
      if (died && !simulation.network().isCut(exchange.to, exchange.from)) {
        exchange.lost(NoAnswer.CONNECTION_LOST);
      }
    }
    world.after(LOOK, this::look);
  }
}
