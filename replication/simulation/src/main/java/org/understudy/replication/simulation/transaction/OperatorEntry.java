package org.understudy.replication.simulation.transaction;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.NavigableMap;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.update.StateChange;

/**
 * What an operator has decided in place of a coordinator, as a key of a group's state, after the container's {@code OperatorDecisions}.
 *
 * @param contradicted whether the coordinator is known to have decided otherwise
 * @param part of the group in the transaction
 */
record OperatorEntry(String transaction, Decision decision, boolean contradicted, String part) {
  private static final String PREFIX = "operator/";

  StateChange stored() {
    return new StateChange(PREFIX + transaction, (decision + " " + contradicted + " " + part).getBytes(StandardCharsets.UTF_8));
  }

  OperatorEntry contradict() {
    return new OperatorEntry(transaction, decision, true, part);
  }

  static StateChange removed(String transaction) {
    return new StateChange(PREFIX + transaction, null);
  }

  /** The entry of a transaction in a group's state; null for none. */
  static OperatorEntry find(NavigableMap<String, byte[]> state, String transaction) {
    byte[] found = state.get(PREFIX + transaction);
    return found == null ? null : read(transaction, found);
  }

  /** All entries of a group's state. */
  static List<OperatorEntry> all(NavigableMap<String, byte[]> state) {
    return state.subMap(PREFIX, true, PREFIX + "~", false).entrySet().stream()
        .map(entry -> read(entry.getKey().substring(PREFIX.length()), entry.getValue())).toList();
  }

  private static OperatorEntry read(String transaction, byte[] state) {
    String[] words = new String(state, StandardCharsets.UTF_8).split(" ", 3);
    return new OperatorEntry(transaction, Decision.valueOf(words[0]), Boolean.parseBoolean(words[1]), words[2]);
  }
}
