package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.simulation.World;

/** A client: transactions with calls to several groups, and requests outside of them. */
final class TransactionClient {
  private static final long MS = 1_000_000L;
  private static final long PATIENCE = 400 * MS;
  private static final long LONGEST_RUN = 300 * MS;
  private static final int KEYS = 3;

  private final TransactionSimulation simulation;
  private final RecordedRequests requests;
  private final World world;
  private final int number;
  private final long end;
  private int numbered;

  TransactionClient(TransactionSimulation simulation, int number, long end) {
    this.simulation = simulation;
    this.requests = new RecordedRequests(simulation);
    this.world = simulation.world();
    this.number = number;
    this.end = end;
  }

  void run() {
    world.after(world.between(0, 30 * MS), () -> {
      if (world.now() < end) {
        next();
      }
    });
  }

  private String key() {
    return (simulation.hasDatabases() && world.chance(0.6) ? "d" : "k") + world.pick(KEYS);
  }

  private RequestKey id() {
    return new RequestKey.OfMessageId(number, ++numbered);
  }

  private void next() {
    int kind = world.pick(10);
    int group = world.pick(TransactionSimulation.GROUPS);
    String key = key();
    if (kind < 6) {
      begin();
    } else if (kind < 8 && SimulatedBranches.isInDatabase(key)) {
      appendBoth(group, key, "k" + world.pick(KEYS));
    } else if (kind < 8) {
      String entry = "u" + number + "_" + ++numbered;
      RequestKey id = id();
      // Some methods take long: what is in doubt may be decided meanwhile.
      long nanos = world.chance(0.2) ? world.between(0, LONGEST_RUN) : 0;
      requests.append(
          group, PATIENCE, List.of(key), entry, (node, answer) -> node.container.values().append(key, entry, id, nanos, answer),
          appended -> run());
    } else {
      requests.read(group, PATIENCE, key, answered -> run());
    }
  }

  private void appendBoth(int group, String key, String logged) {
    String entry = "b" + number + "_" + ++numbered;
    RequestKey id = id();
    simulation.history().begunAtBoth(group, List.of(key, logged), world.now(), entry);
    requests.append(
        group, PATIENCE, List.of(key, logged), entry,
        (node, answer) -> node.container.values().appendBoth(key, logged, entry, id, answer), appended -> run());
  }

  private void begin() {
    simulation.network().ask(
        0, PATIENCE,
        (SimulatedNode node, Consumer<String> answer) -> node.container.coordinator().open("t" + number, answer),
        opened -> {
          if (opened != null) {
            call(simulation.history().begin(opened), 1 + world.pick(4));
          } else {
            run();
          }
        });
  }

  private void call(TransactionHistory.Entry entry, int left) {
    int group = world.pick(TransactionSimulation.GROUPS);
    String key = key();
    boolean reads = world.chance(0.2);
    if (left == 0) {
      finish(entry);
      return;
    }
    long asked = world.now();
    simulation.network().ask(
        group, PATIENCE,
        (SimulatedNode node, Consumer<Boolean> answer) -> node.container.call(entry.id, key, reads, answer),
        done -> {
          if (Boolean.TRUE.equals(done)) {
            if (!reads) {
              entry.changes.putIfAbsent(new TransactionHistory.Place(group, key), asked);
            }
            // Some wait, so that primaries change between two calls.
            world.after(world.chance(0.1) ? world.between(0, 900 * MS) : 0, () -> call(entry, left - 1));
          } else {
            abort(entry);
          }
        });
  }

  private void finish(TransactionHistory.Entry entry) {
    if (world.chance(0.9)) {
      entry.commitRequested = true;
      commit(entry, id(), world.now() + 4_000 * MS);
    } else {
      abort(entry);
    }
  }

  private void commit(TransactionHistory.Entry entry, RequestKey id, long until) {
    simulation.network().ask(
        0, 1_200 * MS,
        (SimulatedNode node, Consumer<Boolean> answer) -> node.container.coordinator().commit(entry.id, id, answer),
        committed -> {
          if (committed != null) {
            entry.outcome = committed;
            entry.answeredAt = world.now();
            world.trace("%s is answered: %s", entry.id, committed ? "committed" : "aborted");
            run();
          } else if (world.now() < until) {
            world.after(20 * MS, () -> commit(entry, id, until));
          } else {
            run();
          }
        });
  }

  private void abort(TransactionHistory.Entry entry) {
    simulation.network().ask(
        0, PATIENCE,
        (SimulatedNode node, Consumer<Boolean> answer) -> {
          node.container.coordinator().abort(entry.id);
          answer.accept(true);
        },
        any -> run());
  }

  /** For the trace. */
  @Override
  public String toString() {
    return "client " + number;
  }

  static List<String> keys(boolean databases) {
    List<String> keys = new ArrayList<>();
    for (int i = 0; i < KEYS; i++) {
      keys.add("k" + i);
      if (databases) {
        keys.add("d" + i);
      }
    }
    return keys;
  }
}
