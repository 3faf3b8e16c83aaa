package org.understudy.replication.core;

import java.time.Duration;

/**
 * The protocol's times, in nanoseconds. Wrong values cost availability, never correctness, with one exception that is
 * checked: a lease is longer than twice its margin.
 *
 * @param heartbeatNanos between two heartbeats of the primary
 * @param leaseNanos how long an acknowledged heartbeat keeps its sender primary, counted from its sending
 * @param leaseMarginNanos the maximum drift between the clocks of two replicas during one lease
 * @param suspectNanos silence after which a replica is suspected
 * @param staggerNanos the additional delay of each next backup before it campaigns
 * @param graceNanos how long a candidate with a majority waits for promises of other replicas that it does not suspect. On
 *     a busy machine, a shorter time leaves out replicas that are only slow, which then need a state transfer
 */
public record Timing(
    long heartbeatNanos, long leaseNanos, long leaseMarginNanos, long suspectNanos, long staggerNanos, long graceNanos) {
  private static final int LONGEST_LEASE = 4;

  public Timing {
    if (heartbeatNanos <= 0 || suspectNanos < 2 * heartbeatNanos) {
      throw new IllegalArgumentException("The suspicion timeout must be at least two heartbeats.");
    }
    if (leaseMarginNanos < 0 || leaseNanos <= 2 * leaseMarginNanos) {
      throw new IllegalArgumentException("The lease must be longer than twice its margin.");
    }
    if (staggerNanos <= 0 || graceNanos < 0) {
      throw new IllegalArgumentException("Stagger must be above zero, and grace must not be negative.");
    }
  }

  /** The longest lease that a primary gets to which acknowledgements take long; at most the suspicion time. */
  public long longestLeaseNanos() {
    return Math.max(leaseNanos, Math.min(suspectNanos, LONGEST_LEASE * leaseNanos));
  }

  /** Derives the times from one interval: suspicion after {@code suspect}, the others in proportion to {@code heartbeat}. */
  public static Timing of(Duration heartbeat, Duration suspect) {
    long beat = heartbeat.toNanos();
    return new Timing(beat, 3 * beat, beat / 4, suspect.toNanos(), 2 * beat, suspect.toNanos() / 2);
  }
}
