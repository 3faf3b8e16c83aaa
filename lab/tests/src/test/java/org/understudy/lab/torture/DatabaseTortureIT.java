package org.understudy.lab.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.torture.check.Checks;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.HistoryFile;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;
import org.understudy.lab.torture.network.Enclosure;

/**
 * A short run whose updates change replicated objects and rows of a database, while primaries and the database server are killed and
 * stopped. Where the machine permits no network namespaces, everything runs at loopback addresses, and no link is cut.
 */
class DatabaseTortureIT {
  private static final List<String> USUAL =
      List.of("--cluster", "../../scripts/cluster", "--database", "both", "--clients", "4", "--resources", "2");
  /** Their seeds fix the plans: each kind once, short, and replicas are killed and stopped while they are the primary. */
  private static final List<String> NAMESPACES =
      List.of("--seed", "978854", "--minutes", "0.28", "--faults", "kill_both,zombie");
  private static final List<String> LOOPBACK =
      List.of("--loopback", "--seed", "2198591", "--minutes", "0.28", "--faults", "kill_both,kill_under_zombie");

  private static final Set<String> KILLS = Set.of("kill-both");
  private static final Set<String> PAUSES = Set.of("zombie", "kill-under-zombie");

  @Test
  void requestsTakeEffectInMemoryAndDatabaseOnceOrNotAtAll(@TempDir Path folder) throws Exception {
    Optional<String> obstacle = Enclosure.unavailable();
    obstacle.ifPresent(reason -> System.err.println("WARNING: no network namespaces (" + reason
        + "), so this torture kills and stops processes at loopback addresses, and CUTS NO LINK."));
    Path file = folder.resolve("history");
    List<String> arguments = new ArrayList<>(USUAL);
    arguments.addAll(obstacle.isEmpty() ? NAMESPACES : LOOPBACK);
    System.out.println("Repeat with: scripts/torture " + String.join(" ", arguments.subList(2, arguments.size())));
    arguments.addAll(List.of("--history", file.toString()));
    assertEquals(0, TortureCommand.execute(arguments.toArray(String[]::new)), "Violations are printed above.");

    History.Recorded history = HistoryFile.read(file);
    assertTrue(history.operations().stream().filter(operation -> operation.update() && operation.ok()).count() > 10);
    assertTookOver(history, KILLS);
    assertTookOver(history, PAUSES);
    assertEquals(List.of(), Checks.check(history));
    assertBrokenHistoriesAreRefused(history);
    assertBrokenTransactionsAreRefused(history);
  }

  /** A primary was killed or stopped, and another replica has become the primary. */
  private static void assertTookOver(History.Recorded history, Set<String> kinds) {
    assertTrue(history.faults().stream().anyMatch(fault -> kinds.contains(fault.kind()) && fault.failover()),
        () -> "No failover by " + kinds + ": " + history.faults());
  }

  /** The same run, with half of a request or without an acknowledged one. */
  private static void assertBrokenHistoriesAreRefused(History.Recorded history) {
    Operation row = last(history, operation -> operation.client().equals("row"));
    Predicate<Operation> rows = operation -> operation.client().equals("row") && operation.resource() == row.resource();
    Predicate<Operation> memory = operation -> operation.client().equals("end") && operation.resource() == row.resource();
    // The row is lost.
    assertRefused(history, operation -> rows.test(operation) ? showing(operation, 0) : operation);
    // What the last request has added is in memory and not in the row, or in the row and not in memory.
    Operation update = last(history, operation -> operation.resource() == row.resource() && operation.update() && operation.ok());
    int before = row.value() - update.amount();
    assertRefused(history, operation -> rows.test(operation) ? showing(operation, before) : operation);
    assertRefused(history, operation -> memory.test(operation) ? showing(operation, before) : operation);
    // It has been added twice.
    int twice = row.value() + update.amount();
    assertRefused(history, operation -> rows.test(operation) || memory.test(operation) ? showing(operation, twice) : operation);
  }

  /** The same run, with another outcome, other changes or another time of a transaction that was committed. */
  private static void assertBrokenTransactionsAreRefused(History.Recorded history) {
    ClientTransaction committed = history.transactions().stream()
        .filter(transaction -> transaction.outcome() == TransactionOutcome.COMMITTED)
        .filter(transaction -> transaction.effects().stream().filter(Operation::update).count() > 1)
        .reduce((earlier, later) -> later).orElseThrow();
    long end = history.operations().stream().mapToLong(Operation::returned).max().orElseThrow();
    assertRefused(history, committed, committed.calls(), List.of(answer(committed, TransactionOutcome.ABORTED)));
    assertRefused(history, committed, committed.calls(),
        List.of(answer(committed, TransactionOutcome.COMMITTED), answer(committed, TransactionOutcome.ABORTED)));
    // It was seen before its commit was asked for.
    assertRefused(history, committed, committed.calls(),
        List.of(new Answer(Request.COMMIT, TransactionOutcome.COMMITTED, 0, end + 1, end + 2)));
    // A part of it is lost, and, if its outcome is unknown, the others have half of it.
    Call last = committed.calls().stream().filter(call -> call.amount() > 0).reduce((earlier, later) -> later).orElseThrow();
    List<Call> more = committed.calls().stream().map(call -> call.resource() != last.resource() || call.invoked() < last.invoked() ? call
        : new Call(call.resource(), call.amount() + (call.equals(last) ? 1 : 0), call.value() + 1, call.invoked(), call.returned()))
        .toList();
    for (TransactionOutcome outcome : List.of(TransactionOutcome.COMMITTED, TransactionOutcome.UNKNOWN)) {
      assertRefused(history, committed, more, List.of(answer(committed, outcome)));
    }
  }

  private static Answer answer(ClientTransaction transaction, TransactionOutcome outcome) {
    Operation effect = transaction.effects().get(0);
    return new Answer(Request.COMMIT, outcome, 0, effect.invoked(), effect.returned());
  }

  private static void assertRefused(History.Recorded history, ClientTransaction changed, List<Call> calls, List<Answer> answers) {
    ClientTransaction with = new ClientTransaction(changed.client(), changed.invoked(), calls, answers);
    assertFalse(Checks.check(history.withTransactions(
        history.transactions().stream().map(transaction -> transaction.equals(changed) ? with : transaction).toList())).isEmpty());
  }

  private static Operation last(History.Recorded history, Predicate<Operation> wanted) {
    return history.operations().stream().filter(wanted).reduce((earlier, later) -> later).orElseThrow();
  }

  private static Operation showing(Operation operation, int value) {
    return new Operation(operation.client(), operation.level(), operation.resource(), operation.amount(), value, operation.invoked(),
        operation.returned(), Outcome.OK, operation.replica());
  }

  private static void assertRefused(History.Recorded history, UnaryOperator<Operation> change) {
    assertFalse(Checks.check(history.with(history.operations().stream().map(change).toList())).isEmpty());
  }
}
