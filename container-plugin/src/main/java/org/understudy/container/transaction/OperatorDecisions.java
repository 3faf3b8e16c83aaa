package org.understudy.container.transaction;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;

/**
 * What operators have decided in place of coordinators, as part of the group's state, until a coordinator has decided the same or an
 * operator removes it. Thread-safe.
 */
final class OperatorDecisions extends TransactionState {
  /** Of decisions. They keep registrations, of which a group has {@code CoordinatedTransactions.MAX_CONTEXTS}. */
  static final int MAX = 100;
  private static final String PREFIX = "operator/";

  private final Map<String, Entry> entries = new ConcurrentHashMap<>();

  /**
   * One decision. Once it is stable, it is what the mark in the log has, or will have.
   *
   * @param contradicted whether the coordinator is known to have decided otherwise
   * @param part the coordinator's group and the name of the part; empty for a coordinator that is no group
   */
  record Entry(String id, Decision decision, boolean contradicted, String part) {
    StateChange stored() {
      return new StateChange(PREFIX + id, (decision + " " + contradicted + " " + part).getBytes(StandardCharsets.UTF_8));
    }

    Entry contradict() {
      return new Entry(id, decision, true, part);
    }

    private static Entry read(String id, byte[] state) {
      String[] words = new String(state, StandardCharsets.UTF_8).split(" ", 3);
      return new Entry(id, Decision.valueOf(words[0]), Boolean.parseBoolean(words[1]), words[2]);
    }

    /** A line for the operator. */
    String describe() {
      String how = decision.name().toLowerCase(Locale.ROOT);
      String other = decision == Decision.COMMITTED ? "aborted" : "committed";
      return how + " by an operator " + id + ": "
          + (contradicted
              ? "its coordinator has " + other + " it, so its participants differ"
              : "the decision of its coordinator is unknown");
    }
  }

  OperatorDecisions() {
    super(PREFIX);
  }

  /** The kind of the keys, which cost no client a share. */
  static KeyKind kind() {
    return KeyKind.common(PREFIX);
  }

  static StateChange removed(String id) {
    return new StateChange(PREFIX + id, null);
  }

  /** The decision about a transaction, or null. */
  Entry find(String id) {
    return entries.get(id);
  }

  /** Whether an operator has decided this part of a transaction. */
  boolean contains(String id, String part) {
    Entry found = entries.get(id);
    return found != null && found.part().equals(part);
  }

  int size() {
    return entries.size();
  }

  /** In ascending order of the transactions' ids. */
  List<Entry> all() {
    return entries.values().stream().sorted(Comparator.comparing(Entry::id)).toList();
  }

  @Override
  void changed(String id, byte[] state) {
    if (state == null) {
      entries.remove(id);
    } else {
      entries.put(id, Entry.read(id, state));
    }
  }

  @Override
  public void onReset() {
    entries.clear();
  }
}
