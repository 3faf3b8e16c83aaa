package org.understudy.replication.simulation.transaction;

import java.util.List;
import java.util.function.Consumer;

/** Requests outside of transactions, whose results are added to the history. */
final class RecordedRequests {
  private final TransactionSimulation simulation;

  RecordedRequests(TransactionSimulation simulation) {
    this.simulation = simulation;
  }

  /**
   * Appends an entry to values of a group.
   *
   * @param request what appends it to all of them
   * @param done takes whether it is known to be appended
   */
  void append(
      int group, long patience, List<String> keys, String entry, TransactionNetwork.Ask<Boolean> request, Consumer<Boolean> done) {
    long asked = simulation.world().now();
    simulation.network().ask(
        group, patience, request,
        answer -> {
          boolean appended = Boolean.TRUE.equals(answer);
          if (appended) {
            keys.forEach(key -> simulation.history().appended(group, key, asked, entry));
          }
          done.accept(appended);
        });
  }

  /** @param done takes whether there was an answer */
  void read(int group, long patience, String key, Consumer<Boolean> done) {
    long asked = simulation.world().now();
    simulation.network().ask(
        group, patience,
        (SimulatedNode node, Consumer<List<String>> answer) -> node.container.values().read(key, answer),
        value -> {
          if (value != null) {
            simulation.history().read(group, key, asked, value);
          }
          done.accept(value != null);
        });
  }
}
