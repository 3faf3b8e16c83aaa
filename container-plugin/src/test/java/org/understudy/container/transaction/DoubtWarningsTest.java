package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.container.transaction.DoubtWarnings.Doubt;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.LogRecorder;

class DoubtWarningsTest {
  private static final Doubt DOUBT = new Doubt("urn:t", "the group bank", List.of("a/1", "branch/5.0"), false);
  private final LostDecisions lostDecisions = new LostDecisions();
  private final DoubtWarnings warnings = new DoubtWarnings(TimeUnit.SECONDS.toNanos(30), lostDecisions);

  private List<String> at(long seconds, List<Doubt> doubts) {
    return warnings.due(doubts, TimeUnit.SECONDS.toNanos(seconds));
  }

  @Test
  void aTransactionInDoubtIsNamedWithItsObjectsAndTheCommand() {
    assertEquals(List.of(), at(100, List.of(DOUBT)));
    assertEquals(List.of(), at(129, List.of(DOUBT)));
    String command = "scripts/transactions " + ProcessHandle.current().pid() + " commit urn:t";
    assertEquals(
        List.of(
            "The transaction urn:t is in doubt for 30 s: this group has voted, and the group bank has not sent its decision. Requests for "
                + "a/1 and rows of its database wait and fail. Start the coordinator, or restore its network. If it is lost for good, "
                + "decide with " + command + ", or abort instead of commit."),
        at(130, List.of(DOUBT)));
  }

  @Test
  void aTransactionWhoseMemoryIsLostIsNamedSo() {
    Doubt lost = new Doubt("urn:t", "its coordinator", List.of(), true);
    assertEquals(List.of(), at(0, List.of(lost)));
    assertTrue(at(30, List.of(lost)).get(0).contains("The group has lost its memory since."));
  }

  @Test
  void noWarningAdvisesToStartACoordinatorThatHasLostItsMemory() {
    at(0, List.of(DOUBT));
    lostDecisions.add("urn:t", "bank");
    String command = "scripts/transactions " + ProcessHandle.current().pid() + " commit urn:t";
    assertEquals(
        List.of(
            "The transaction urn:t is in doubt for 30 s: this group has voted, and the group bank has lost its memory and with it the "
                + "decision. Requests for a/1 and rows of its database wait and fail. Look at its changes in the other groups and at the "
                + "answer to its client, then decide with " + command + ", or abort instead of commit."),
        at(30, List.of(DOUBT)));
  }

  @Test
  void warningsAreRepeatedEachTimeTheAgeHasDoubledAndEachHour() {
    List<Long> warned = new ArrayList<>();
    for (long second = 0; second < 20_000; second++) {
      if (!at(second, List.of(DOUBT)).isEmpty()) {
        warned.add(second);
      }
    }
    assertEquals(List.of(30L, 60L, 120L, 240L, 480L, 960L, 1920L, 3840L, 7440L, 11_040L, 14_640L, 18_240L), warned);
  }

  @Test
  void aDecidedTransactionIsForgotten() {
    at(0, List.of(DOUBT));
    at(29, List.of());
    assertEquals(List.of(), at(30, List.of(DOUBT)));
  }

  @Test
  void ofManyTransactionsTheOldestAreNamed() {
    at(0, List.of(DOUBT));
    List<Doubt> all = new ArrayList<>();
    IntStream.range(0, 100).forEach(i -> all.add(new Doubt("urn:" + i, "its coordinator", List.of("a/" + i), false)));
    all.add(DOUBT);
    at(1, all);
    List<String> lines = at(60, all);
    assertEquals(6, lines.size());
    assertTrue(lines.get(0).startsWith("The transaction urn:t is in doubt for 60 s"), lines.get(0));
    assertTrue(lines.get(5).startsWith("96 more transactions are in doubt"), lines.get(5));
  }

  @Test
  void aPrimaryLogsWhatItHasInDoubt() throws Exception {
    try (LogRecorder log = LogRecorder.of(DoubtWarnings.class);
        Replica replica = SingleReplica.open();
        DatabaseBranches branches = new DatabaseBranches(replica, new OwnRequests(replica))) {
      SingleReplica.prepare(replica, "urn:t", "bank p1");
      new DoubtWarnings(0, lostDecisions).log(replica, branches.left());
      List<String> lines = log.lines();
      assertEquals(1, lines.size());
      String begin = "The transaction urn:t is in doubt for 0 s: this group has voted, and the group bank has not sent its decision. "
          + "Requests for a/1 wait and fail.";
      assertTrue(lines.get(0).startsWith(begin), lines.get(0));
    }
  }
}
