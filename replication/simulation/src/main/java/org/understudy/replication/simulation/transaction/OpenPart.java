package org.understudy.replication.simulation.transaction;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.core.update.StateChange;

/** What a transaction has done at one primary so far. */
final class OpenPart {
  final String transaction;
  final String part;
  final Map<String, byte[]> changes = new TreeMap<>();
  /** Of the values, when the transaction has used them first. */
  final Map<String, Long> versions = new TreeMap<>();
  final long began;
  /** In the database; null for none. */
  GroupDatabase.Branch branch;
  /** A statement of it is on its way. */
  boolean calling;
  boolean registered;
  boolean ending;

  OpenPart(String transaction, String part, long began) {
    this.transaction = transaction;
    this.part = part;
    this.began = began;
  }

  boolean changesNothing() {
    return changes.isEmpty() && (branch == null || !branch.hasChanges());
  }

  List<StateChange> list() {
    return changes.entrySet().stream().map(change -> new StateChange(change.getKey(), change.getValue())).toList();
  }
}
