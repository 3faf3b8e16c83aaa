package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.Cut;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;
import org.understudy.lab.torture.history.Outcome;

class ChecksTest {
  private static final long SECOND = 1_000_000_000L;

  private static Operation of(String client, Level level, int resource, int value, long from, long to, int replica) {
    return new Operation(client, level, resource, level == Level.UPDATE ? value : 0, value, from, to, Outcome.OK, replica);
  }

  private static List<String> promises(List<Cut> cuts, Operation... operations) {
    return Checks.check(new History.Recorded(List.of(operations), List.of(), cuts, List.of())).stream().map(Violation::promise).toList();
  }

  @Test
  void aSessionReadDoesNotGoBackBehindWhatItsClientHasSeen() {
    Operation update = of("a", Level.UPDATE, 0, 5, 0, 1, 0);
    assertEquals(List.of("session"), promises(List.of(), update, of("a", Level.SESSION, 0, 0, 2, 3, 0)));
    for (Level level : List.of(Level.LINEARIZABLE, Level.SESSION, Level.LOCAL)) {
      Operation seen = of("b", level, 0, 5, 2, 3, 0);
      assertEquals(List.of("session"), promises(List.of(), update, seen, of("b", Level.SESSION, 0, 0, 4, 5, 0)));
    }
  }

  @Test
  void anotherClientAnotherCounterAndAnotherLevelMayReadOldValues() {
    assertEquals(List.of(), promises(List.of(), of("a", Level.UPDATE, 0, 5, 0, 1, 0), of("b", Level.SESSION, 0, 0, 2, 3, 0),
        of("a", Level.SESSION, 1, 0, 4, 5, 0), of("a", Level.LOCAL, 0, 0, 6, 7, 0), of("a", Level.SESSION, 0, 5, 8, 9, 0)));
  }

  @Test
  void countersAreCheckedApart() {
    assertEquals(List.of(), promises(List.of(), of("a", Level.UPDATE, 0, 5, 0, 1, 0), of("a", Level.UPDATE, 1, 7, 2, 3, 0)));
    assertEquals(List.of("acknowledged update lost"), promises(List.of(), of("a", Level.UPDATE, 0, 5, 0, 1, 0),
        of("a", Level.UPDATE, 1, 7, 2, 3, 0), of("a", Level.UPDATE, 1, 8, 4, 5, 0)));
  }

  @Test
  void aMinorityAcknowledgesNothing() {
    List<Cut> cut = List.of(new Cut(1, Set.of(2), 10 * SECOND, 20 * SECOND));
    assertEquals(List.of("minority"), promises(cut, of("a", Level.UPDATE, 0, 5, 10 * SECOND, 11 * SECOND, 2)));
    assertEquals(List.of("minority"), promises(cut, of("a", Level.LINEARIZABLE, 0, 0, 12 * SECOND, 13 * SECOND, 2)));
  }

  @Test
  void aDatabaseThatDecidesAloneNeedsNoMajorityForUpdates() {
    Cut cut = new Cut(1, Set.of(2), 10 * SECOND, 20 * SECOND);
    Operation update = of("a", Level.UPDATE, 0, 5, 10 * SECOND, 11 * SECOND, 2);
    assertEquals(List.of(), Checks.check(new History.Recorded(List.of(update), List.of(), List.of(cut), List.of()), true));
    Operation read = of("a", Level.LINEARIZABLE, 0, 0, 12 * SECOND, 13 * SECOND, 2);
    assertEquals(1, Checks.check(new History.Recorded(List.of(read), List.of(), List.of(cut), List.of()), true).size());
  }

  private static final Operation ACKNOWLEDGED = of("a", Level.UPDATE, 0, 5, 0, 1, 0);
  private static final Operation UNKNOWN = new Operation("b", Level.UPDATE, 0, 7, 0, 2, 3, Outcome.UNKNOWN, 0);

  /** What a run with a database records at its end: the row, what clients read, and the row again. */
  private static List<String> atTheEnd(int row, int value, int rowAgain) {
    return promises(List.of(), ACKNOWLEDGED, UNKNOWN, of("row", Level.LINEARIZABLE, 0, row, 10, 11, 0),
        of("end", Level.LINEARIZABLE, 0, value, 12, 13, 1), of("row", Level.LINEARIZABLE, 0, rowAgain, 14, 15, 0));
  }

  @Test
  void anUpdateOfUnknownOutcomeIsInTheRowAndInMemoryOrInNeither() {
    assertEquals(List.of(), atTheEnd(5, 5, 5));
    assertEquals(List.of(), atTheEnd(12, 12, 12));
    // It takes effect while the values are compared.
    assertEquals(List.of(), atTheEnd(5, 5, 12));
    assertEquals(List.of(), atTheEnd(5, 12, 12));
  }

  @Test
  void halfAnUpdateIsAViolation() {
    assertEquals(List.of("linearizable"), atTheEnd(5, 12, 5), "in memory, and not in the row");
    assertEquals(List.of("linearizable"), atTheEnd(12, 5, 12), "in the row, and not in memory");
  }

  @Test
  void aRowWithoutAnAcknowledgedUpdateIsAViolation() {
    // The row is lost, and has the value of a counter that is not there.
    assertEquals(List.of("linearizable"), atTheEnd(0, 5, 0));
    assertEquals(List.of("linearizable"), atTheEnd(0, 0, 0));
  }

  @Test
  void aRowWithAnUpdateThatWasExecutedTwiceIsAViolation() {
    assertEquals(List.of("exactly once"), atTheEnd(10, 10, 10));
    assertEquals(List.of("exactly once"), atTheEnd(19, 19, 19));
  }

  @Test
  void othersAndOtherTimesAreNoViolation() {
    List<Cut> cut = List.of(new Cut(1, Set.of(2), 10 * SECOND, 20 * SECOND));
    // The majority; begun before the cut; ended after it; under a lease; other levels.
    assertEquals(List.of(), promises(cut, of("a", Level.UPDATE, 0, 5, 10 * SECOND, 11 * SECOND, 1)));
    assertEquals(List.of(), promises(cut, of("a", Level.UPDATE, 0, 5, 10 * SECOND - 1, 11 * SECOND, 2)));
    assertEquals(List.of(), promises(cut, of("a", Level.UPDATE, 0, 5, 19 * SECOND, 20 * SECOND + 1, 2)));
    assertEquals(List.of(), promises(cut, of("a", Level.LINEARIZABLE, 0, 0, 10 * SECOND, 11 * SECOND, 2)));
    assertEquals(List.of(), promises(cut, of("a", Level.SESSION, 0, 0, 12 * SECOND, 13 * SECOND, 2)));
    assertEquals(List.of(), promises(cut, of("a", Level.LOCAL, 0, 0, 12 * SECOND, 13 * SECOND, 2)));
  }
}
