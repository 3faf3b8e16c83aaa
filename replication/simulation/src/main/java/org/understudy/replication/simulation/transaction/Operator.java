package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.transaction.TransactionStatus;
import org.understudy.replication.simulation.World;

/**
 * Who decides what is in doubt in place of coordinators, at the primaries of participants. A hasty one sometimes decides as they please; a
 * careful one looks how the coordinator's group has decided, and repairs what is left at the end. If that group does not know it any more,
 * other groups and the client do.
 */
final class Operator {
  private static final long MS = 1_000_000L;
  private static final long PATIENCE = 3_000 * MS;
  /** Shorter is no doubt that anybody looks at. */
  private static final long DOUBT = 50 * MS;
  private static final long ROUND = 200 * MS;

  private final TransactionSimulation simulation;
  private final World world;
  /** When the operator has noticed each transaction in doubt, by group and transaction. */
  private final Map<TransactionHistory.Part, Long> noticed = new TreeMap<>();

  Operator(TransactionSimulation simulation) {
    this.simulation = simulation;
    this.world = simulation.world();
  }

  /** Looks at the groups from time to time, while there are faults. */
  void runHastily() {
    world.after(world.between(10 * MS, 60 * MS), () -> {
      if (simulation.isFaulty()) {
        for (TransactionHistory.Part part : doubtful(DOUBT)) {
          boolean lost = simulation.hasForeignCoordinators() && isLost(part);
          if (world.chance(0.15) && !lost) {
            decide(part, world.chance(0.5) ? Decision.COMMITTED : Decision.ABORTED, done -> {});
          } else if (world.chance(0.3)) {
            decideAsCoordinator(part);
          }
        }
        shown(OperatorEntry::contradicted).stream().filter(part -> world.chance(0.15)).forEach(part -> forget(part, done -> {}));
        runHastily();
      }
    });
  }

  /** Whether there is something to repair. */
  boolean hasWork() {
    boolean[] found = {!doubtful(0).isEmpty()};
    for (int group = 1; group < TransactionSimulation.GROUPS; group++) {
      SimulatedNode primary = simulation.primary(group);
      found[0] |= primary != null && !OperatorEntry.all(primary.image).isEmpty();
    }
    return found[0];
  }

  /** Ends what coordinators cannot end themselves, until this time. */
  void decideUntil(long end) {
    if (world.now() < end) {
      doubtful(0).forEach(this::decideAsCoordinator);
      world.after(ROUND, () -> decideUntil(end));
    }
  }

  /** Forgets what groups show as contradicted, as if it were repaired, until this time. */
  void forgetUntil(long end) {
    if (world.now() < end) {
      shown(entry -> entry.contradicted() || isOfOtherLife(entry.transaction())).forEach(part -> forget(part, done -> {}));
      world.after(ROUND, () -> forgetUntil(end));
    }
  }

  /** The parts whose decisions by operators are shown. */
  private List<TransactionHistory.Part> shown(Predicate<OperatorEntry> which) {
    List<TransactionHistory.Part> parts = new ArrayList<>();
    for (int group = 1; group < TransactionSimulation.GROUPS; group++) {
      SimulatedNode primary = simulation.primary(group);
      if (primary != null) {
        for (OperatorEntry entry : OperatorEntry.all(primary.image)) {
          if (which.test(entry)) {
            parts.add(new TransactionHistory.Part(group, entry.transaction()));
          }
        }
      }
    }
    return parts;
  }

  /** Runs the command that forgets a decision at the primary of a participant. */
  void forget(TransactionHistory.Part part, Consumer<Boolean> done) {
    world.trace("an operator forgets %s", part);
    simulation.network().ask(
        part.group(), PATIENCE,
        (SimulatedNode node, Consumer<Boolean> answer) -> {
          OperatorEntry entry = OperatorEntry.find(node.image, part.transaction());
          if (entry != null && entry.contradicted()) {
            // The operator has seen that. Whether it is forgotten may stay unknown.
            simulation.history().reported(part, entry.decision());
          }
          node.container.operators().forget(part.transaction(), answer);
        },
        answer -> {
          if (Boolean.TRUE.equals(answer)) {
            simulation.history().forgotten(part);
          }
          done.accept(Boolean.TRUE.equals(answer));
        });
  }

  private boolean isOfOtherLife(String transaction) {
    SimulatedNode primary = simulation.primary(0);
    return primary != null && primary.container.coordinator().status(transaction) == TransactionStatus.LOST;
  }

  /** What is known to be in doubt for this time. */
  private List<TransactionHistory.Part> doubtful(long nanos) {
    Map<TransactionHistory.Part, Long> now = new TreeMap<>();
    for (int group = 1; group < TransactionSimulation.GROUPS; group++) {
      SimulatedNode primary = simulation.primary(group);
      if (primary != null) {
        for (String transaction : primary.container.inDoubt()) {
          TransactionHistory.Part part = new TransactionHistory.Part(group, transaction);
          now.put(part, noticed.getOrDefault(part, world.now()));
        }
      }
    }
    noticed.keySet().retainAll(now.keySet());
    noticed.putAll(now);
    return now.entrySet().stream().filter(entry -> entry.getValue() + nanos <= world.now()).map(Map.Entry::getKey).toList();
  }

  private boolean isLost(TransactionHistory.Part part) {
    SimulatedNode primary = simulation.primary(part.group());
    return primary != null && primary.container.branches() != null
        && primary.container.branches().left().lost().contains(part.transaction());
  }

  /** Runs the command at the primary of a participant. */
  void decide(TransactionHistory.Part part, Decision decision, Consumer<Boolean> done) {
    world.trace("an operator decides that %s is %s", part, decision);
    simulation.history().decidedByOperator(part, decision, world.now());
    simulation.network().ask(
        part.group(), PATIENCE,
        (SimulatedNode node, Consumer<Boolean> answer) ->
            node.container.operators().decideByOperator(part.transaction(), decision, answer),
        answer -> done.accept(Boolean.TRUE.equals(answer)));
  }

  private void decideAsCoordinator(TransactionHistory.Part part) {
    simulation.network().ask(
        0, PATIENCE,
        (SimulatedNode node, Consumer<TransactionStatus> answer) -> {
          TransactionStatus[] status = new TransactionStatus[1];
          node.container.guarded(
              () -> status[0] = node.container.coordinator().status(part.transaction()),
              () -> answer.accept(status[0]),
              () -> answer.accept(null));
        },
        status -> {
          if (status == TransactionStatus.LOST) {
            decideWithoutCoordinator(part);
          } else if (status != null && status != TransactionStatus.ACTIVE) {
            Decision decision = status == TransactionStatus.COMMITTED ? Decision.COMMITTED : Decision.ABORTED;
            Decision other = status == TransactionStatus.COMMITTED ? Decision.ABORTED : Decision.COMMITTED;
            decide(part, decision, done -> {
              if (!done && simulation.history().hasBeenDecided(part, other)) {
                // An operator has begun it so.
                decide(part, other, any -> {});
              }
            });
          }
        });
  }

  /** Its group has lost the decision: a committed part shows it, or the answer to the client. While there are faults, either may come. */
  private void decideWithoutCoordinator(TransactionHistory.Part part) {
    if (!simulation.isFaulty() && (simulation.history().hasLostMemory(0) || simulation.isUpgrading())) {
      boolean committed = simulation.history().isCommitted(part.transaction()) || isShown(part.transaction());
      decide(part, committed ? Decision.COMMITTED : Decision.ABORTED, done -> {});
    }
  }

  private boolean isShown(String transaction) {
    for (int group = 0; group < TransactionSimulation.GROUPS; group++) {
      SimulatedNode primary = simulation.primary(group);
      for (String key : TransactionClient.keys(simulation.hasDatabases())) {
        boolean inDatabase = SimulatedBranches.isInDatabase(key);
        byte[] value = inDatabase ? simulation.database(group).value(key) : primary == null ? null : primary.image.get(key);
        if (SimulatedValues.entries(value).contains(transaction)) {
          return true;
        }
      }
    }
    return false;
  }
}
