package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.ClientTransaction;
import org.understudy.lab.torture.history.ClientTransaction.Answer;
import org.understudy.lab.torture.history.ClientTransaction.Call;
import org.understudy.lab.torture.history.ClientTransaction.Request;
import org.understudy.lab.torture.history.Cut;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;
import org.understudy.lab.torture.history.TransactionOutcome;

/** A transaction from 10 to 20 adds 5 to counter 0, which is 5 then, and 7 to counter 1. */
class TransactionChecksTest {
  private static final List<Call> CALLS = List.of(new Call(0, 5, 5, 10, 11), new Call(1, 7, 7, 12, 13));

  private static Answer answer(Request request, TransactionOutcome outcome) {
    return new Answer(request, outcome, 1, 15, 20);
  }

  private static Answer commit(TransactionOutcome outcome) {
    return answer(Request.COMMIT, outcome);
  }

  private static ClientTransaction transaction(Answer... answers) {
    return new ClientTransaction("t", 10, CALLS, List.of(answers));
  }

  private static Operation read(Level level, int counter, int value, long from, long to) {
    return new Operation("r", level, counter, 0, value, from, to, Outcome.OK, 0);
  }

  /** What all counters show when everything is over. */
  private static List<Operation> atTheEnd(int... values) {
    List<Operation> reads = new ArrayList<>();
    for (int counter = 0; counter < values.length; counter++) {
      reads.add(read(Level.LINEARIZABLE, counter, values[counter], 100, 101));
    }
    return reads;
  }

  private static List<String> promises(List<Operation> operations, ClientTransaction... transactions) {
    return Checks.check(new History.Recorded(operations, List.of(transactions), List.of(), List.of())).stream().map(Violation::promise)
        .toList();
  }

  private static List<Operation> and(List<Operation> operations, Operation... more) {
    return Stream.concat(operations.stream(), Stream.of(more)).toList();
  }

  @Test
  void whatIsCommittedIsSeenAsAWhole() {
    ClientTransaction committed = transaction(commit(TransactionOutcome.COMMITTED));
    assertEquals(List.of(), promises(atTheEnd(5, 7), committed));
    assertEquals(List.of("linearizable"), promises(atTheEnd(0, 7), committed), "half of it");
    assertEquals(List.of("linearizable"), promises(atTheEnd(5, 0), committed), "half of it");
    assertEquals(List.of("linearizable"), promises(atTheEnd(0, 0), committed).stream().distinct().toList(), "nothing of it");
    assertEquals(List.of("exactly once"), promises(atTheEnd(10, 7), committed), "twice");
  }

  @Test
  void whatIsAbortedIsNotSeen() {
    for (ClientTransaction aborted : List.of(transaction(commit(TransactionOutcome.ABORTED)),
        transaction(answer(Request.CALL, TransactionOutcome.ABORTED), commit(TransactionOutcome.UNKNOWN)),
        // Nobody has asked for a commit.
        transaction(answer(Request.ABORT, TransactionOutcome.UNKNOWN)))) {
      assertEquals(List.of(), promises(atTheEnd(0, 0), aborted));
      assertEquals(List.of("exactly once"), promises(atTheEnd(5, 0), aborted));
      assertEquals(List.of("exactly once", "exactly once"), promises(atTheEnd(5, 7), aborted));
    }
  }

  @Test
  void whatIsUnknownIsSeenAsAWholeOrNotAtAll() {
    ClientTransaction unknown = transaction(commit(TransactionOutcome.UNKNOWN));
    assertEquals(List.of(), promises(atTheEnd(5, 7), unknown));
    assertEquals(List.of(), promises(atTheEnd(0, 0), unknown));
    // One counter shows it already, and the other one must show it from then on.
    assertEquals(List.of(), promises(and(atTheEnd(0, 7), read(Level.LINEARIZABLE, 0, 5, 102, 103)), unknown));
    assertEquals(1, promises(and(atTheEnd(0, 7), read(Level.LINEARIZABLE, 0, 0, 102, 103)), unknown).size());
    assertEquals(1, promises(and(atTheEnd(5, 0), read(Level.LINEARIZABLE, 1, 0, 102, 103)), unknown).size());
  }

  @Test
  void nothingIsSeenBeforeTheCommit() {
    ClientTransaction committed = transaction(commit(TransactionOutcome.COMMITTED));
    for (Level level : List.of(Level.LINEARIZABLE, Level.SESSION, Level.LOCAL)) {
      assertEquals(List.of(level.word()), promises(and(atTheEnd(5, 7), read(level, 0, 5, 13, 14)), committed));
      assertEquals(List.of(), promises(and(atTheEnd(5, 7), read(level, 0, 5, 13, 16)), committed));
    }
  }

  @Test
  void othersDoNotChangeACounterWithinATransaction() {
    ClientTransaction committed = transaction(commit(TransactionOutcome.COMMITTED));
    Operation lost = new Operation("a", Level.UPDATE, 0, 5, 5, 12, 30, Outcome.OK, 0);
    assertEquals(List.of("acknowledged update lost"), promises(and(atTheEnd(5, 7), lost), committed));
    ClientTransaction changed = new ClientTransaction(
        "t", 10, List.of(new Call(0, 0, 0, 10, 11), new Call(0, 5, 6, 12, 13)), List.of(commit(TransactionOutcome.ABORTED)));
    assertEquals(List.of("transaction"), promises(List.of(), changed));
  }

  @Test
  void aReadWithinACommittedTransactionIsOfItsTime() {
    ClientTransaction committed = new ClientTransaction("t", 10, List.of(new Call(0, 0, 0, 10, 11), new Call(1, 7, 7, 12, 13)),
        List.of(commit(TransactionOutcome.COMMITTED)));
    Operation update = new Operation("a", Level.UPDATE, 0, 5, 5, 1, 30, Outcome.OK, 0);
    assertEquals(List.of(), promises(and(atTheEnd(5, 7), update), committed));
    Operation before = new Operation("a", Level.UPDATE, 0, 5, 5, 1, 9, Outcome.OK, 0);
    assertEquals(List.of("linearizable"), promises(and(atTheEnd(5, 7), before), committed));
  }

  @Test
  void twoTransactionsHaveOneOrder() {
    ClientTransaction one = new ClientTransaction(
        "t", 10, List.of(new Call(0, 5, 5, 10, 11), new Call(1, 5, 12, 12, 13)), List.of(commit(TransactionOutcome.COMMITTED)));
    ClientTransaction other = new ClientTransaction(
        "u", 10, List.of(new Call(0, 7, 12, 10, 11), new Call(1, 7, 7, 12, 13)), List.of(commit(TransactionOutcome.COMMITTED)));
    assertEquals(List.of("transaction"), promises(atTheEnd(12, 12), one, other));
    ClientTransaction fits = new ClientTransaction("u", 10, List.of(new Call(0, 7, 12, 10, 11)), other.answers());
    assertEquals(List.of("exactly once"), promises(atTheEnd(12, 12), one, fits));
  }

  @Test
  void answersDoNotContradictEachOther() {
    Answer committed = commit(TransactionOutcome.COMMITTED);
    for (Answer other : List.of(commit(TransactionOutcome.ABORTED), answer(Request.ABORT, TransactionOutcome.ABORTED),
        answer(Request.CALL, TransactionOutcome.ABORTED))) {
      assertEquals(List.of("transaction outcome"), promises(atTheEnd(5, 7), transaction(committed, other)));
      assertEquals(List.of("transaction outcome"), promises(atTheEnd(0, 0), transaction(other, committed)));
    }
    assertEquals(List.of(), promises(atTheEnd(5, 7), transaction(committed, answer(Request.ABORT, TransactionOutcome.UNKNOWN))));
    Answer unasked = answer(Request.ABORT, TransactionOutcome.COMMITTED);
    assertEquals(List.of("transaction outcome"), promises(atTheEnd(5, 7), transaction(unasked)));
  }

  @Test
  void sessionsAndMinoritiesIncludeTransactions() {
    ClientTransaction committed = transaction(commit(TransactionOutcome.COMMITTED));
    Operation old = new Operation("t", Level.SESSION, 1, 0, 0, 21, 22, Outcome.OK, 0);
    assertEquals(List.of("session"), promises(and(atTheEnd(5, 7), old), committed));
    ClientTransaction answeredLater = transaction(
        commit(TransactionOutcome.UNKNOWN), new Answer(Request.COMMIT, TransactionOutcome.COMMITTED, 1, 30, 31));
    assertEquals(List.of(), promises(and(atTheEnd(5, 7), old), answeredLater), "the client does not know of it yet");
    Cut cut = new Cut(1, Set.of(1), 15, 20);
    assertEquals(List.of("minority", "minority"), Checks.check(
        new History.Recorded(atTheEnd(5, 7), List.of(committed), List.of(cut), List.of())).stream().map(Violation::promise).toList());
  }

  @Test
  void manyTransactionsOfUnknownOutcomeAreDecided() {
    List<ClientTransaction> transactions = new ArrayList<>();
    List<Operation> operations = new ArrayList<>();
    int[] values = {0, 0};
    for (int i = 0; i < 300; i++) {
      long time = 100L * i;
      boolean effective = i % 3 != 0;
      int one = i * 37 % 499 + 1;
      int other = i * 61 % 499 + 1;
      transactions.add(new ClientTransaction("t", time, List.of(new Call(0, one, values[0] + one, time, time + 1),
          new Call(1, other, values[1] + other, time, time + 1)),
          List.of(new Answer(Request.COMMIT, i % 7 == 0 || !effective ? TransactionOutcome.UNKNOWN : TransactionOutcome.COMMITTED, 0,
              time + 2, time + 20))));
      values[0] += effective ? one : 0;
      values[1] += effective ? other : 0;
      // An update of unknown outcome hides what the transaction before it has done to counter 0.
      int amount = i * 13 % 499 + 1;
      operations.add(new Operation("u", Level.UPDATE, 0, amount, 0, time + 30, time + 40, Outcome.UNKNOWN, 0));
      values[0] += i % 5 == 0 ? amount : 0;
    }
    operations.add(read(Level.LINEARIZABLE, 0, values[0], 100_000, 100_001));
    operations.add(read(Level.LINEARIZABLE, 1, values[1], 100_000, 100_001));
    assertEquals(List.of(), promises(operations, transactions.toArray(ClientTransaction[]::new)));
    // One that was committed is lost in the second counter.
    operations.set(operations.size() - 1, read(Level.LINEARIZABLE, 1, values[1] - 1, 100_000, 100_001));
    assertEquals("linearizable", promises(operations, transactions.toArray(ClientTransaction[]::new)).get(0));
  }
}
