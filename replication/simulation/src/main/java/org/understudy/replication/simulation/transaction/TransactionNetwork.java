package org.understudy.replication.simulation.transaction;

import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.transaction.RemoteParticipant;
import org.understudy.replication.simulation.World;

/** The network of one history: within groups, between them, and from clients. Messages are lost, late and repeated. */
final class TransactionNetwork {
  private static final int REPLICAS = 3;
  private static final long MS = 1_000_000L;

  private final TransactionSimulation simulation;
  private final World world;

  TransactionNetwork(TransactionSimulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
  }

  /** Sends to a replica, which may be another one of the group when the message arrives: it has restarted. */
  void send(SimulatedNode from, int group, int number, Consumer<SimulatedNode> message) {
    deliver(from.group, group, () -> {
      SimulatedNode node = simulation.group(group).get(number - 1);
      boolean unheard = from == simulation.faults().isolated() && from.group == group && node != from;
      if (!unheard) {
        node.arrive(() -> message.accept(node));
      }
    });
  }

  private void deliver(int from, int to, Runnable arrival) {
    boolean between = from != to;
    int copies = simulation.isFaulty() && world.chance(simulation.duplication()) ? 2 : 1;
    for (int i = 0; i < copies; i++) {
      boolean lost = simulation.isFaulty() && world.chance(simulation.loss());
      boolean late = simulation.isFaulty() && between && world.chance(0.03);
      long delay = late ? world.between(0, 1_500 * MS) : world.chance(0.05) ? world.between(0, 10 * MS) : world.between(MS / 20, 2 * MS);
      if (!lost) {
        world.after(delay, () -> {
          if (!between || (!simulation.faults().isCut(from) && !simulation.faults().isCut(to))) {
            arrival.run();
          }
        });
      }
    }
  }

  /** The coordinator sends a message to all replicas of a participant. */
  void toGroup(SimulatedNode from, TwoPhaseStep step, int group, Consumer<SimulatedNode> message) {
    simulation.message(from, step, group, () -> toAll(from, group, message));
  }

  /** A participant sends a message to all replicas of the coordinator's group. */
  void toCoordinators(SimulatedNode from, TwoPhaseStep step, Consumer<SimulatedCoordinator> message) {
    simulation.message(from, step, from.group, () -> toAll(from, 0, node -> message.accept(node.container.coordinator())));
  }

  private void toAll(SimulatedNode from, int group, Consumer<SimulatedNode> message) {
    for (int number = 1; number <= REPLICAS; number++) {
      send(from, group, number, message);
    }
  }

  /** Registers a part at all replicas of the coordinator's group: one of them may accept it. */
  void register(SimulatedNode from, OpenPart part, Consumer<Boolean> answer) {
    RemoteParticipant participant = new RemoteParticipant("group" + from.group, part.part, List.of("any"));
    boolean[] answered = new boolean[1];
    int[] refusals = new int[1];
    Consumer<Boolean> once = accepted -> {
      refusals[0] += accepted ? 0 : 1;
      if (!answered[0] && (accepted || refusals[0] == REPLICAS)) {
        answered[0] = true;
        answer.accept(accepted);
      }
    };
    toCoordinators(from, TwoPhaseStep.REGISTRATION, other -> other.register(part.transaction, participant, accepted ->
        simulation.message(other.node(), TwoPhaseStep.ACCEPTANCE, from.group, () ->
            deliver(0, from.group, () -> from.arrive(() -> once.accept(accepted))))));
    world.after(200 * MS, () -> from.arrive(() -> {
      refusals[0] = REPLICAS - 1;
      once.accept(false);
    }));
  }

  /** A client's request to a replica of this group that takes itself for the primary; its answer comes once, or null after a time. */
  <T> void ask(int group, long patience, Ask<T> request, Consumer<T> answer) {
    boolean[] answered = new boolean[1];
    Consumer<T> once = result -> {
      if (!answered[0]) {
        answered[0] = true;
        answer.accept(result);
      }
    };
    List<SimulatedNode> primaries =
        simulation.group(group).stream().filter(node -> node.isAlive() && node.role() == Role.PRIMARY).toList();
    if (!primaries.isEmpty()) {
      SimulatedNode node = primaries.get(world.pick(primaries.size()));
      deliver(-2, group, () -> node.arrive(() -> request.at(node, result -> {
        if (node.isAlive()) {
          deliver(group, -2, () -> once.accept(result));
        }
      })));
    }
    world.after(patience, () -> once.accept(null));
  }

  /** What a client wants from a replica. */
  @FunctionalInterface
  interface Ask<T> {
    void at(SimulatedNode node, Consumer<T> answer);
  }
}
