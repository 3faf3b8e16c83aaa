package org.understudy.replication.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.test.LogRecorder;

class FirstViewTest {
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  private long now;
  private final HeardPeers heard = new HeardPeers(() -> now);
  private final FirstView view = new FirstView("1", null, heard);

  @Test
  void aReplicaThatHasSentNothingIsToldFromOneOfAnEarlierView() {
    heard.heard(TWO);
    String sentence = view.sentence(Set.of(TWO));
    assertTrue(sentence.contains("waits for replica 2, which has been in a view before: see its log."), sentence);
    assertTrue(view.sentence(Set.of(THREE)).contains("waits for replica 3, which has sent nothing: start it, or see its log."), sentence);
    assertNull(view.sentence(Set.of()));
  }

  @Test
  void theWaitIsLoggedAfterSomeSecondsAndOnceAMinute() {
    try (LogRecorder log = LogRecorder.of(FirstView.class)) {
      for (now = 0; now <= TimeUnit.SECONDS.toNanos(124); now += TimeUnit.MILLISECONDS.toNanos(100)) {
        view.tick(now, () -> view.sentence(Set.of(THREE)));
        assertTrue(now >= TimeUnit.SECONDS.toNanos(5) || log.records().isEmpty());
      }
      String line = "Replica 1 waits. " + view.sentence(Set.of(THREE));
      assertEquals(List.of(line, line), log.lines());
    }
  }
}
