package org.understudy.replication.core.detection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;

/** Suspicion and its end. Times are milliseconds; suspicion takes 500. */
class FailureDetectorTest {
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);
  private static final List<ReplicaId> ALL = List.of(ONE, TWO, THREE);

  private final FailureDetector detector =
      new FailureDetector(
          new ReplicaSetup(
              ONE, ALL, Recovered.NOTHING, 1, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)),
              Limits.DEFAULTS, Rule.ALL));

  private static long at(long millis) {
    return millis * 1_000_000;
  }

  @Test
  void primaryWithoutAuthorityIsSuspected() {
    detector.accepted(TWO, at(0));
    assertFalse(detector.isPrimarySuspect(TWO, at(500)));
    detector.received(TWO, at(499));
    assertTrue(detector.isPrimarySuspect(TWO, at(501)), "ballots are no sign of progress");
    detector.primaryAlive(TWO, at(600));
    assertFalse(detector.isPrimarySuspect(TWO, at(1_100)));
  }

  @Test
  void hintCountsUntilTheNextMessage() {
    detector.accepted(TWO, at(0));
    detector.hint(TWO);
    assertTrue(detector.isPrimarySuspect(TWO, at(1)));
    assertTrue(detector.isUnresponsive(TWO, at(1)));
    detector.received(TWO, at(2));
    assertFalse(detector.isPrimarySuspect(TWO, at(3)));
    assertFalse(detector.isUnresponsive(TWO, at(3)));
  }

  @Test
  void memberWithoutAcknowledgementsFails() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.acknowledgedIndex(TWO, 5, 9, true, at(100));
    detector.received(TWO, at(550));
    assertFalse(detector.isFailed(TWO, at(600)));
    assertTrue(detector.isFailed(TWO, at(601)), "it is received, but makes no progress");
    assertTrue(detector.isStuck(TWO, at(601)));
    detector.acknowledgedIndex(TWO, 6, 9, true, at(602));
    assertFalse(detector.isFailed(TWO, at(1_100)), "slow, but it advances");
  }

  @Test
  void acknowledgedHeartbeatsKeepAnIdleMemberAlive() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.acknowledgedIndex(TWO, 9, 9, true, at(0));
    detector.acknowledgedHeartbeat(TWO, at(390), at(400));
    assertFalse(detector.isFailed(TWO, at(900)));
    detector.acknowledgedHeartbeat(TWO, at(390), at(890));
    assertTrue(detector.isFailed(TWO, at(901)), "a copy of an old acknowledgement proves nothing");
  }

  @Test
  void memberThatLostItsStateFailsUntilTheNextView() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.lostState(THREE);
    detector.received(THREE, at(10));
    assertTrue(detector.isFailed(THREE, at(10)));
    assertTrue(detector.isUnresponsive(THREE, at(10)));
    detector.accepted(THREE, at(20));
    assertFalse(detector.isUnresponsive(THREE, at(20)));
    assertFalse(detector.isPrimarySuspect(THREE, at(20)));
  }

  @Test
  void stuckMembersAreRecordedUntilTheNextView() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.acknowledgedIndex(TWO, 0, 9, true, at(0));
    detector.acknowledgedIndex(THREE, 9, 9, true, at(0));
    detector.noteStuck(List.of(TWO, THREE), at(600));
    assertEquals(Set.of(TWO), Set.copyOf(detector.stuck()));
    detector.received(TWO, at(600));
    assertTrue(detector.isUnresponsive(TWO, at(600)), "it answers messages, and acknowledges nothing");
    detector.accepted(ONE, at(700));
    assertEquals(Set.of(), detector.stuck());
  }

  @Test
  void authorityNeedsRecentAcknowledgementsOfAMajority() {
    detector.lead(at(0), at(0), ALL, List.of(ONE, TWO));
    assertTrue(detector.hasAuthority(at(500)));
    assertFalse(detector.hasAuthority(at(501)));
    detector.acknowledged(THREE, at(600), at(600));
    assertTrue(detector.hasAuthority(at(1_100)));
  }

  @Test
  void authorityCountsFromWhenTheAcknowledgedMessageWasSent() {
    detector.lead(at(400), at(0), ALL, ALL);
    assertTrue(detector.hasAuthority(at(500)));
    assertFalse(detector.hasAuthority(at(501)), "the view was promised long before it began");
    detector.acknowledged(TWO, at(400), at(2_000));
    assertFalse(detector.hasAuthority(at(2_000)), "a connection has delivered an old acknowledgement");
    detector.acknowledged(TWO, at(1_900), at(2_010));
    detector.acknowledged(TWO, at(450), at(2_020));
    assertTrue(detector.hasAuthority(at(2_400)));
    assertFalse(detector.hasAuthority(at(2_401)));
  }

  @Test
  void aViewIsProposedWhileAMajorityAnswers() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.answered(THREE, at(400));
    assertTrue(detector.isAnswered(at(900)));
    assertFalse(detector.isAnswered(at(901)));
    assertFalse(detector.hasAuthority(at(501)));
  }

  @Test
  void lateTicksRestartTheTimersALimitedNumberOfTimes() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.acknowledgedIndex(TWO, 0, 9, true, at(0));
    long now = 0;
    detector.tick(at(now), 0);
    for (int late = 1; late <= 3; late++) {
      now += 600;
      detector.tick(at(now), 0);
      assertFalse(detector.isFailed(TWO, at(now)), "after " + late + " late ticks");
    }
    now += 600;
    detector.tick(at(now), 0);
    assertTrue(detector.isFailed(TWO, at(now)), "a replica that is always late suspects the silent too");
  }

  @Test
  void primaryWithoutDurableRecordsHasNoAuthority() {
    detector.lead(at(0), at(0), ALL, ALL);
    detector.tick(at(100), 7);
    detector.acknowledged(TWO, at(600), at(600));
    assertFalse(detector.isStorageLate(at(350)));
    assertTrue(detector.isStorageLate(at(351)));
    assertTrue(detector.hasAuthority(at(600)));
    assertFalse(detector.hasAuthority(at(601)));
    detector.stored(6, at(700));
    detector.acknowledged(TWO, at(700), at(700));
    assertTrue(detector.hasAuthority(at(1_200)), "it makes progress, however many records wait");
    assertFalse(detector.hasAuthority(at(1_201)));
    detector.stored(7, at(1_300));
    detector.acknowledged(TWO, at(9_000), at(9_000));
    detector.tick(at(9_000), 7);
    assertTrue(detector.hasAuthority(at(9_000)), "no record waits");
    detector.tick(at(9_100), 8);
    assertFalse(detector.isStorageLate(at(9_350)), "the time without records does not count");
  }

  @Test
  void disksThatHungTogetherNeedNotAnswerTogether() {
    detector.accepted(TWO, at(0));
    detector.lead(at(0), at(0), ALL, ALL);
    detector.acknowledgedIndex(TWO, 5, 9, true, at(0));
    for (int token = 1; token <= 3; token++) {
      long end = answerAfterThreeSeconds(token);
      assertFalse(detector.isFailed(TWO, at(end + 250)));
      assertFalse(detector.isPrimarySuspect(TWO, at(end + 250)));
      assertTrue(detector.isFailed(TWO, at(end + 251)));
      assertTrue(detector.isPrimarySuspect(TWO, at(end + 251)));
    }
    long end = answerAfterThreeSeconds(4);
    assertTrue(detector.isFailed(TWO, at(end)), "a replica whose disk is always late suspects the silent too");
    assertTrue(detector.isPrimarySuspect(TWO, at(end)));
  }

  /** Returns the time at which the disk has stored the record with this token, in milliseconds. */
  private long answerAfterThreeSeconds(int token) {
    long end = token * 3_000L;
    for (long now = end - 2_900; now <= end; now += 100) {
      detector.tick(at(now), token);
    }
    detector.stored(token, at(end));
    return end;
  }

  @Test
  void replicaThatStoodStillWaitsForItsDiskAnew() {
    detector.tick(at(0), 1);
    detector.tick(at(2_000), 1);
    assertFalse(detector.isStorageStuck(at(2_000)), "the disk may have answered meanwhile");
    for (long late = 2; late <= 4; late++) {
      detector.tick(at(late * 2_000), 1);
    }
    assertTrue(detector.isStorageStuck(at(8_000)), "a replica that is always late gives way too");
  }

  @Test
  void replicaAloneWaitsForItsDisk() {
    FailureDetector alone =
        new FailureDetector(
            new ReplicaSetup(
                ONE, List.of(ONE), Recovered.NOTHING, 1, Timing.of(Duration.ofMillis(50), Duration.ofMillis(500)),
                Limits.DEFAULTS, Rule.ALL));
    alone.tick(at(0), 1);
    assertFalse(alone.isStorageStuck(at(9_000)));
    assertTrue(alone.hasAuthority(at(9_000)));
  }
}
