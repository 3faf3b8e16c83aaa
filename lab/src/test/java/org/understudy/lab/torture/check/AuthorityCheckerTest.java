package org.understudy.lab.torture.check;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.lab.torture.history.WritableReport;

class AuthorityCheckerTest {
  private static WritableReport report(int replica, long epoch, long invoked, long returned) {
    return new WritableReport(replica, epoch, invoked, returned);
  }

  private static List<Violation> check(WritableReport... reports) {
    return AuthorityChecker.check(List.of(reports), 0);
  }

  @Test
  void aPrimaryThatIsWritableAfterItsSuccessorIsFound() {
    List<Violation> violations = check(report(1, 4, 50, 60), report(1, 4, 10, 20), report(2, 5, 30, 40));
    assertEquals(1, violations.size(), violations.toString());
    assertTrue(violations.get(0).what().contains("replica 1 in epoch 4"), violations.toString());
  }

  @Test
  void answersThatMayHaveBeenGivenInTheOtherOrderCount() {
    assertEquals(List.of(), check(report(1, 4, 10, 60), report(2, 5, 30, 40)));
    assertEquals(List.of(), check(report(1, 4, 40, 60), report(2, 5, 30, 40)));
  }

  @Test
  void aMemberThatDoesNotLeadMayLearnOfItLater() {
    List<WritableReport> reports = List.of(report(3, 4, 50, 60), report(1, 5, 30, 40), report(1, 6, 45, 48));
    assertEquals(List.of(), AuthorityChecker.check(reports, 10));
    assertEquals(1, AuthorityChecker.check(reports, 9).size());
  }

  @Test
  void membersOfOneViewMayAllBeWritable() {
    assertEquals(List.of(), check(report(1, 4, 10, 20), report(2, 4, 30, 40), report(3, 4, 50, 60), report(1, 4, 70, 80)));
  }

  @Test
  void successiveViewsAreWritableOneAfterTheOther() {
    assertEquals(List.of(), check(report(1, 4, 10, 20), report(2, 5, 30, 40), report(2, 5, 50, 60), report(1, 9, 70, 80)));
  }
}
