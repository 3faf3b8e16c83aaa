package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.record.Recovered;

class LeaseTest {
  private static final Timing TIMING = Timing.of(Duration.ofNanos(1_000), Duration.ofNanos(10_000));
  private static final long LENGTH = TIMING.leaseNanos() - TIMING.leaseMarginNanos();
  private static final long JUMP = TIMING.leaseMarginNanos() / 2 + 1;
  private static final ReplicaId TWO = new ReplicaId(2);
  private static final ReplicaId THREE = new ReplicaId(3);
  private static final ReplicaId FOUR = new ReplicaId(4);

  private static Lease lease(int replicas, Timing timing, Set<Rule> rules) {
    List<ReplicaId> configured = IntStream.rangeClosed(1, replicas).mapToObj(ReplicaId::new).toList();
    return new Lease(
        new ReplicaSetup(
            new ReplicaId(1), configured, Recovered.NOTHING, 1, timing, Limits.DEFAULTS, rules));
  }

  private static Lease lease(int replicas, Set<Rule> rules) {
    return lease(replicas, TIMING, rules);
  }

  private static Lease lease(int replicas) {
    return lease(replicas, Rule.ALL);
  }

  @Test
  void aSingleReplicaAlwaysHoldsTheLease() {
    assertEquals(77, lease(1).until(77));
  }

  @Test
  void noLeaseBeforeAMajorityAcknowledged() {
    Lease three = lease(3);
    assertEquals(Long.MIN_VALUE, three.until(100));
    three.acknowledged(TWO, 40, 0);
    assertEquals(40 + LENGTH, three.until(100), "with this replica, two of three");
    Lease four = lease(4);
    four.acknowledged(TWO, 40, 0);
    assertEquals(Long.MIN_VALUE, four.until(100), "two of four are no majority");
    four.acknowledged(THREE, 50, 0);
    assertEquals(40 + LENGTH, four.until(100));
  }

  @Test
  void leaseCountsFromTheLastHeartbeatThatAMajorityAcknowledged() {
    Lease five = lease(5);
    five.acknowledged(TWO, 10, 0);
    five.acknowledged(THREE, 90, 0);
    assertEquals(10 + LENGTH, five.until(100));
    five.acknowledged(FOUR, 60, 0);
    assertEquals(60 + LENGTH, five.until(100), "two others at or after 60");
    five.acknowledged(TWO, 5, 0);
    assertEquals(60 + LENGTH, five.until(100), "an older acknowledgement that comes later takes nothing back");
    five.clear();
    assertEquals(Long.MIN_VALUE, five.until(100), "those of another view do not count");
  }

  @Test
  void driftWithinHalfTheMarginKeepsTheLease() {
    Lease lease = lease(3);
    lease.compareClocks(1_000, 5_000);
    lease.acknowledged(TWO, 1_000, 0);
    lease.compareClocks(2_000, 6_000 + JUMP - 1);
    lease.compareClocks(3_000, 7_000 - JUMP + 1);
    assertEquals(1_000 + LENGTH, lease.until(3_000));
    assertEquals(3_000, lease.sendTime(3_000));
  }

  @Test
  void aDriftHidesNoPartOfAStandstill() {
    Lease lease = lease(3);
    lease.compareClocks(1_000, 5_000);
    lease.compareClocks(2_000, 6_000 - JUMP + 1);
    lease.acknowledged(TWO, 2_000, 0);
    lease.compareClocks(3_000, 7_000);
    assertEquals(2_000 + LENGTH, lease.until(3_000));
    lease.compareClocks(3_000, 7_001);
    assertEquals(Long.MIN_VALUE, lease.until(3_000), "more than half the margin since the clocks were last compared");
  }

  @Test
  void smallDriftsAddUp() {
    Lease lease = lease(3);
    lease.compareClocks(0, 0);
    lease.acknowledged(TWO, 0, 0);
    for (int step = 1; step <= JUMP; step++) {
      lease.compareClocks(10L * step, 11L * step);
    }
    assertEquals(Long.MIN_VALUE, lease.until(10 * JUMP));
  }

  @Test
  void clockJumpVoidsEarlierHeartbeats() {
    for (long jump : new long[] {JUMP, -JUMP}) {
      Lease lease = lease(3);
      lease.compareClocks(1_000, 5_000);
      lease.acknowledged(TWO, 1_000, 0);
      lease.compareClocks(2_000, 6_000 + jump);
      assertEquals(Long.MIN_VALUE, lease.until(2_000), "jump " + jump);
      lease.acknowledged(TWO, 1_500, 0);
      lease.acknowledged(TWO, 2_000, 0);
      assertEquals(Long.MIN_VALUE, lease.until(2_000), "sent before the jump, acknowledged after it; jump " + jump);
      long sentAt = lease.sendTime(2_000);
      assertTrue(sentAt > 2_000, "a heartbeat of the very step of the jump can be told from those before");
      lease.acknowledged(TWO, sentAt, 0);
      assertEquals(sentAt + LENGTH, lease.until(2_000), "jump " + jump);
      lease.compareClocks(3_000, 7_000 + jump);
      assertEquals(sentAt + LENGTH, lease.until(3_000), "the new distance of the clocks is no jump");
    }
  }

  @Test
  void frozenClockStillGetsLeases() {
    Lease lease = lease(3);
    lease.compareClocks(1_000, 5_000);
    for (int step = 1; step <= 3; step++) {
      lease.compareClocks(1_000, 5_000 + step * 2L * JUMP);
      long sentAt = lease.sendTime(1_000);
      lease.acknowledged(TWO, sentAt, 0);
      assertEquals(sentAt + LENGTH, lease.until(1_000));
    }
  }

  @Test
  void withoutTheRuleAClockJumpKeepsTheLease() {
    EnumSet<Rule> rules = EnumSet.copyOf(Rule.ALL);
    rules.remove(Rule.CLOCK_JUMP_VOIDS_LEASE);
    Lease lease = lease(3, rules);
    lease.compareClocks(1_000, 5_000);
    lease.acknowledged(TWO, 1_000, 0);
    lease.compareClocks(2_000, 6_000 + 10 * JUMP);
    assertEquals(1_000 + LENGTH, lease.until(2_000));
  }

  @Test
  void aLongerLeaseHasALongerMargin() {
    Timing timing = Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1));
    Lease lease = lease(3, timing, Rule.ALL);
    lease.acknowledged(TWO, 1_000_000, 300);
    assertEquals(1_000_000 + 2 * (timing.leaseNanos() - timing.leaseMarginNanos()), lease.until(0));
    lease.acknowledged(TWO, 2_000_000, 0);
    assertEquals(1_000_000 + 2 * (timing.leaseNanos() - timing.leaseMarginNanos()), lease.until(0), "the longer one still holds");
  }

  @Test
  void aLeaseIsAsLongAsTheRoundTripNeeds() {
    Timing timing = Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1));
    Lease lease = lease(3, timing, Rule.ALL);
    assertEquals(0, lease.wantedMillis(0));
    assertEquals(0, lease.wantedMillis(Duration.ofMillis(80).toNanos()));
    assertEquals(362, lease.wantedMillis(Duration.ofMillis(200).toNanos()));
    assertEquals(600, lease.wantedMillis(Duration.ofSeconds(2).toNanos()), "no longer than four usual ones");
  }
}
