package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.HandledEffects;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.time.ClockReading;
import org.understudy.replication.core.time.GroupTime;

/** The clocks of a group of three at one replica. Times are seconds; the true time is that of the monotonic clock and 1,000,000. */
class GroupClockTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long EPOCH = 1_000_000;
  private static final long DAY = 86_400;
  private static final ReplicaId ONE = new ReplicaId(1);
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);

  private final List<String> lines = new ArrayList<>();
  private ClockReading reading;
  private final Effects out =
      HandledEffects.by((name, arguments) -> {
        if (name.equals("time")) {
          reading = (ClockReading) arguments[0];
        } else {
          lines.add((String) arguments[0]);
        }
      });
  private final GroupClock clock =
      new GroupClock(
          new ReplicaSetup(
              ONE, List.of(ONE, TWO, THREE), Recovered.NOTHING, 7, Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
              Limits.DEFAULTS, Rule.ALL));
  private long now;

  /** A step at this time with the own wall clock so far ahead of the true time. */
  private void step(long at, long ahead) {
    now = at;
    clock.step(at * SECOND, (EPOCH + at + ahead) * SECOND, out);
  }

  private void answers(ReplicaId from, long ahead) {
    clock.answered(from, (EPOCH + now + ahead) * SECOND);
  }

  private void assertAhead(long counted, long wall) {
    assertEquals(new ClockReading((EPOCH + counted) * SECOND, (EPOCH + wall) * SECOND), reading);
  }

  @Test
  void oneWrongClockIsOutvoted() {
    step(0, DAY);
    assertEquals(GroupTime.NONE, clock.lead(out), "nothing is known of the others");
    answers(TWO, 0);
    assertEquals(GroupTime.NONE, clock.lead(out), "of two that disagree, either may be wrong");
    answers(THREE, 0);
    assertEquals(new GroupTime(EPOCH * SECOND, EPOCH * SECOND), clock.lead(out));
    assertAhead(0, 0);
    step(1, DAY);
    assertEquals(
        List.of(
            "The wall clock of replica 1 is 86400 s ahead of the clocks of a majority of the replicas. It decides about no lifetime until"
                + " it agrees with them. Have it set by NTP."),
        lines);
    step(2, 0);
    assertEquals("The wall clock of replica 1 agrees with those of a majority of the replicas again.", lines.get(1));
  }

  @Test
  void threeClocksThatDisagreeGiveTheMiddleOne() {
    step(0, 500);
    answers(TWO, -500);
    answers(THREE, 20);
    clock.lead(out);
    assertAhead(20, 20);
  }

  @Test
  void whatAMajorityHasShownGoesOnWithoutOne() {
    step(0, 0);
    answers(TWO, 0);
    clock.lead(out);
    step(100, 0);
    answers(TWO, -DAY);
    clock.lead(out);
    assertAhead(0, 0);
  }

  @Test
  void aClockThatIsSetDoesNotCountBeforeItSettles() {
    step(0, 0);
    answers(TWO, 0);
    clock.lead(out);
    step(1, DAY);
    assertEquals(GroupTime.UNKNOWN, clock.told());
    answers(TWO, GroupTime.UNKNOWN);
    answers(THREE, DAY);
    clock.lead(out);
    assertAhead(0, 0);
    long settled = 2 + GroupClock.SETTLING_NANOS / SECOND;
    step(settled - 1, DAY);
    assertEquals(GroupTime.UNKNOWN, clock.told());
    step(settled, DAY);
    assertEquals((EPOCH + settled + DAY) * SECOND, clock.told());
    answers(TWO, DAY);
    clock.lead(out);
    assertAhead(0, DAY);
  }

  @Test
  void aClockThatIsSetBackToTheOthersCountsAtOnce() {
    step(0, 0);
    answers(TWO, 0);
    clock.lead(out);
    step(1, DAY);
    step(2, 0);
    assertEquals((EPOCH + 2) * SECOND, clock.told());
  }

  @Test
  void aClockThatNtpSlewsIsNotSet() {
    for (long at = 0; at <= 1_000; at++) {
      now = at;
      clock.step(at * SECOND, (EPOCH + at) * SECOND + at * SECOND / 25, out);
      assertTrue(clock.told() != GroupTime.UNKNOWN, "after " + at + " s");
    }
  }

  @Test
  void aReplicaThatFallsSilentDoesNotCount() {
    step(0, 0);
    answers(TWO, 0);
    answers(THREE, 0);
    clock.lead(out);
    step(10, DAY);
    answers(TWO, 3);
    clock.lead(out);
    assertAhead(0, 0);
  }

  @Test
  void aNewPrimaryGoesOnCounting() {
    step(0, 0);
    clock.heard(1, new GroupTime((EPOCH - 70) * SECOND, EPOCH * SECOND), out);
    assertAhead(-70, 0);
    step(5, 0);
    clock.heard(1, new GroupTime((EPOCH - 70 + 4) * SECOND, (EPOCH + 4) * SECOND), out);
    assertEquals((EPOCH - 70) * SECOND - 250_000_000, reading.counted(), "a late heartbeat, less what a clock may gain in 5 s");
    step(6, 0);
    answers(TWO, 0);
    clock.lead(out);
    assertEquals((EPOCH - 70) * SECOND - 250_000_000, reading.counted());
    assertEquals(EPOCH * SECOND, reading.wall());
  }

  @Test
  void anotherPrimaryIsBelieved() {
    step(0, 0);
    clock.heard(1, new GroupTime((EPOCH + 70) * SECOND, EPOCH * SECOND), out);
    clock.heard(2, new GroupTime((EPOCH - 70) * SECOND, EPOCH * SECOND), out);
    assertAhead(-70, 0);
    clock.heard(2, GroupTime.NONE, out);
    assertAhead(-70, 0);
  }
}
