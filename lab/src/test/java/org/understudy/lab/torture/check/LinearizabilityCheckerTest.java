package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;

class LinearizabilityCheckerTest {
  private static Operation add(int amount, int value, long from, long to) {
    return new Operation("a", Level.UPDATE, 0, amount, value, from, to, Outcome.OK, 0);
  }

  private static Operation unknown(int amount, long from) {
    return new Operation("u", Level.UPDATE, 0, amount, 0, from, from + 1, Outcome.UNKNOWN, 0);
  }

  private static Operation failed(int amount, long from) {
    return new Operation("f", Level.UPDATE, 0, amount, 0, from, from + 1, Outcome.FAIL, 0);
  }

  private static Operation read(Level level, int value, long from, long to) {
    return new Operation("r", level, 0, 0, value, from, to, Outcome.OK, 0);
  }

  private static void accepted(Operation... operations) {
    assertEquals(List.of(), LinearizabilityChecker.check(List.of(operations), List.of()));
  }

  private static void refused(String promise, Operation... operations) {
    List<Violation> violations = LinearizabilityChecker.check(List.of(operations), List.of());
    assertTrue(!violations.isEmpty() && violations.get(0).promise().equals(promise), violations.toString());
  }

  @Test
  void operationsOneAfterAnother() {
    accepted(add(5, 5, 0, 1), read(Level.LINEARIZABLE, 5, 2, 3), add(7, 12, 4, 5), read(Level.LINEARIZABLE, 12, 6, 7));
  }

  @Test
  void nothingAtAll() {
    accepted();
    accepted(read(Level.LINEARIZABLE, 0, 0, 1), failed(5, 2));
  }

  @Test
  void overlappingOperationsInEitherOrder() {
    accepted(add(5, 12, 0, 9), add(7, 7, 0, 9), read(Level.LINEARIZABLE, 7, 1, 8), read(Level.LINEARIZABLE, 0, 1, 8));
  }

  @Test
  void twoUpdatesThatBeganFromOneValue() {
    refused("acknowledged update lost", add(5, 5, 0, 1), add(7, 7, 2, 3));
    refused("acknowledged update lost", add(5, 5, 0, 9), add(5, 5, 0, 9));
  }

  @Test
  void twoUpdatesWithOneResult() {
    refused("acknowledged update lost", add(5, 12, 0, 9), add(7, 12, 0, 9), unknown(5, 0), unknown(7, 0));
  }

  @Test
  void anAcknowledgedUpdateThatALaterReadDoesNotShow() {
    refused("linearizable", add(5, 5, 0, 1), read(Level.LINEARIZABLE, 0, 2, 3));
    refused("linearizable", add(5, 5, 0, 1), add(7, 12, 2, 3), read(Level.LINEARIZABLE, 5, 4, 5));
  }

  @Test
  void aReadThatShowsWhatALaterUpdateDoes() {
    refused("linearizable", read(Level.LINEARIZABLE, 5, 0, 1), add(5, 5, 2, 3));
    refused("session", read(Level.SESSION, 5, 0, 1), add(5, 5, 2, 3));
    refused("local", read(Level.LOCAL, 5, 0, 1), add(5, 5, 2, 3));
  }

  @Test
  void aReadThatGoesBackBehindAnotherRead() {
    accepted(add(5, 5, 0, 9), read(Level.LINEARIZABLE, 0, 1, 2), read(Level.LINEARIZABLE, 5, 3, 4));
    refused("linearizable", add(5, 5, 0, 9), read(Level.LINEARIZABLE, 5, 1, 2), read(Level.LINEARIZABLE, 0, 3, 4));
  }

  @Test
  void oldValuesAreAllowedToOtherLevels() {
    accepted(add(5, 5, 0, 1), read(Level.SESSION, 0, 2, 3), read(Level.LOCAL, 0, 2, 3));
  }

  @Test
  void aValueThatNeverWas() {
    refused("linearizable", add(5, 5, 0, 1), read(Level.LOCAL, 3, 2, 3));
    refused("exactly once", add(5, 5, 0, 1), read(Level.LOCAL, 8, 2, 3));
    refused("linearizable", add(5, 5, 0, 1), add(7, 12, 2, 3), read(Level.LOCAL, 6, 4, 5));
    refused("linearizable", read(Level.LOCAL, -1, 2, 3));
  }

  @Test
  void updatesInTheWrongOrder() {
    refused("linearizable", add(5, 12, 0, 1), add(7, 7, 2, 3));
  }

  @Test
  void anUpdateExecutedTwice() {
    refused("exactly once", add(5, 5, 0, 1), add(7, 17, 2, 3));
  }

  @Test
  void aFailedUpdateThatHadAnEffect() {
    refused("exactly once", failed(5, 0), add(7, 12, 2, 3));
  }

  @Test
  void anUnknownUpdateMayOrMayNotHaveAnEffect() {
    accepted(unknown(5, 0), add(7, 12, 2, 3));
    accepted(unknown(5, 0), add(7, 7, 2, 3));
    accepted(unknown(5, 0), add(7, 7, 2, 3), read(Level.LINEARIZABLE, 12, 100, 101));
  }

  @Test
  void anUnknownUpdateHasItsEffectOnce() {
    refused("exactly once", unknown(5, 0), add(7, 12, 2, 3), add(7, 24, 4, 5));
    accepted(unknown(5, 0), unknown(5, 0), add(7, 12, 2, 3), add(7, 24, 4, 5));
  }

  @Test
  void anUnknownUpdateHasNoEffectBeforeItBegins() {
    refused("exactly once", add(7, 12, 2, 3), unknown(5, 4));
    // Not even if only a later operation shows that the value was reached so early.
    refused("exactly once", add(7, 7, 0, 1), read(Level.LOCAL, 12, 8, 9), add(3, 15, 2, 3), unknown(5, 4));
  }

  @Test
  void theRightOneOfSeveralUnknownUpdates() {
    // The first gap needs 8; it can be 8, or 3 and 5. The second needs 5.
    accepted(unknown(3, 0), unknown(5, 0), unknown(8, 0), add(1, 9, 1, 2), add(1, 15, 3, 4));
    // Here 8 begins too late for the first gap, so that nothing is left for the second.
    refused("exactly once", unknown(3, 0), unknown(5, 0), unknown(8, 5), add(1, 9, 1, 2), add(1, 15, 3, 4));
  }

  @Test
  void readsBetweenUnknownUpdates() {
    accepted(unknown(3, 0), unknown(5, 0), read(Level.LINEARIZABLE, 3, 1, 2), read(Level.LINEARIZABLE, 8, 3, 4));
    refused("linearizable", unknown(3, 0), unknown(5, 0), read(Level.LINEARIZABLE, 8, 1, 2), read(Level.LINEARIZABLE, 3, 3, 4));
    refused("exactly once", unknown(3, 0), unknown(5, 0), read(Level.LINEARIZABLE, 3, 1, 2), read(Level.LINEARIZABLE, 5, 3, 4));
  }

  @Test
  void aSearchThatIsGivenUpIsNoAcceptance() {
    // Even amounts never make an odd sum, and there are very many sums.
    Operation[] operations = Stream.concat(
        IntStream.range(0, 60).mapToObj(i -> unknown(2 * (i + 1_000), 0)),
        Stream.of(read(Level.LINEARIZABLE, 99_999, 1, 2))).toArray(Operation[]::new);
    refused("undecided", operations);
  }

  @Test
  void aLongHistoryWithManyUnknownUpdates() {
    Stream.Builder<Operation> operations = Stream.builder();
    int value = 0;
    for (int i = 1; i <= 5_000; i++) {
      int amount = i * 37 % 997 + 1;
      value += amount;
      boolean lost = i % 25 == 0;
      operations.add(lost ? unknown(amount, i * 10L) : add(amount, value, i * 10L, i * 10L + 15));
      operations.add(read(Level.LINEARIZABLE, value, i * 10L + 5, i * 10L + 9));
    }
    accepted(operations.build().toArray(Operation[]::new));
  }
}
