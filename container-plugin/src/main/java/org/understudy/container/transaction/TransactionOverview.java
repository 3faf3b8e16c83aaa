package org.understudy.container.transaction;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.runtime.Replica;

/**
 * What an operator sees of the transactions at a replica. Open ones are known to the primary only, the others to every replica. Ages count
 * from when this replica has learned of a transaction. Thread-safe; takes locks for a short time.
 */
public final class TransactionOverview {
  private static final String LOST = ", which has lost its memory and does not know it";

  private final Replica replica;
  private final OpenTransactions open;
  private final CoordinatedTransactions coordinated;
  private final PeerTransactions peers;

  public TransactionOverview(
      Replica replica, OpenTransactions open, CoordinatedTransactions coordinated, PeerTransactions peers) {
    this.replica = replica;
    this.open = open;
    this.coordinated = coordinated;
    this.peers = peers;
  }

  /** Whether this replica can decide transactions in doubt. */
  public boolean executesUpdates() {
    return replica.routing().servesUpdates();
  }

  /** Returns the meters of transactions, by name. */
  public Map<String, LongSupplier> meters() {
    return Map.of(
        "openTransactions", open::count,
        "inDoubtTransactions", coordinated::countInDoubt,
        "oldestInDoubtSeconds", () -> coordinated.doubtful().oldestSeconds(),
        "unacknowledgedDecisions", () -> peers.unacknowledged().size(),
        "oldestUnacknowledgedSeconds", peers::oldestUnacknowledgedSeconds,
        "contradictedDecisions", this::countContradicted);
  }

  private long countContradicted() {
    return coordinated.operators().all().stream().filter(OperatorDecisions.Entry::contradicted).count()
        + peers.unacknowledged().keySet().stream().filter(id -> !peers.contradicting(id).isEmpty()).count();
  }

  /**
   * Returns a line for each transaction; one that says so when there is none. A decision of this group is <i>committed</i> only where it is
   * known to be stable, at the primary, and else <i>proposed</i>: nobody may conclude anything from that.
   */
  public String report() {
    StringBuilder text = new StringBuilder();
    Ages doubtful = coordinated.doubtful();
    List<InDoubt> undecided = replica.undecided();
    Set<String> voted = undecided.stream().map(one -> one.participant().transaction()).collect(Collectors.toSet());
    open.all().stream().filter(one -> !voted.contains(one.id())).sorted(Comparator.comparing(OpenTransaction::id)).forEach(
        one -> text.append("open ").append(one.id()).append(": ").append(one.describe()).append('\n'));
    undecided.forEach(
        one -> {
          String id = one.participant().transaction();
          String part = one.participant().restText();
          text.append("in doubt ").append(id).append(": for ").append(doubtful.seconds(id)).append(" s, waits for the decision of ")
              .append(DoubtWarnings.coordinator(part)).append(peers.isLost(id) ? LOST : "").append('\n');
        });
    coordinated.branches().left().lost().forEach(
        one -> text.append("in doubt ").append(one.transaction()).append(": for ").append(doubtful.seconds(one.transaction()))
            .append(" s, waits for the decision of ").append(DoubtWarnings.coordinator(one.part()))
            .append(peers.isLost(one.transaction()) ? LOST : "")
            .append("; its memory part is lost, its branch ").append(one.id()).append(" is prepared in the database\n"));
    coordinated.operators().all().stream().filter(one -> !voted.contains(one.id())).forEach(
        one -> text.append(one.describe()).append('\n'));
    peers.unacknowledged().forEach(
        (id, groups) -> {
          text.append(peers.isCommitted(id) ? "committed " : "proposed ").append(id).append(": not acknowledged for ")
              .append(peers.unacknowledgedSeconds(id)).append(" s by ").append(String.join(", ", groups));
          Set<String> contradicting = peers.contradicting(id);
          text.append(contradicting.isEmpty() ? "" : "; aborted by operators of " + String.join(", ", new TreeSet<>(contradicting)))
              .append('\n');
        });
    return text.isEmpty() ? "No transaction is open, in doubt, or not acknowledged by other groups.\n" : text.toString();
  }
}
