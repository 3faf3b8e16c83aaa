package org.understudy.replication.simulation;

import java.time.Duration;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.ByteLimits;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.peer.FrameSizes;

/**
 * Limits, sizes and deadlines of a simulated group: small enough to be reached in some histories, high in others.
 *
 * @param core those of the core
 */
record SimulatedLimits(Limits core, FrameSizes sizes, Duration requestDeadline, Duration executionDeadline) {
  private static final long SHORT_LEASE_NANOS = 1_500_000_000L;
  private static final Timing TIMING = Timing.of(Duration.ofMillis(50), Duration.ofMillis(400));
  private static final ByteLimits USUAL = ByteLimits.DEFAULTS;
  static final int RESOURCE_BYTES = 1_000;
  /** So few stored replies that some are evicted soon. */
  private static final int FEW_REPLIES_BYTES = 3_000;
  private static final Duration HASTY = Duration.ofMillis(200);

  private static final Limits ROOMY_CORE =
      new Limits(
          200, 1 << 20, 2_048, 1_000, 256, 5_000, Limits.DEFAULTS.identityNanos(), Limits.DEFAULTS.sessionLeaseNanos(),
          500, bytes(USUAL.replies()));

  static final SimulatedLimits ROOMY =
      new SimulatedLimits(
          ROOMY_CORE, new FrameSizes(8 << 20, 1 << 20, 64 << 10, 1 << 20), Duration.ofSeconds(20), Duration.ofMinutes(5));

  /** So few replies are kept that others soon evict them. */
  static final SimulatedLimits FEW_REPLIES = ROOMY.with(bytes(FEW_REPLIES_BYTES));

  /** Four requests wait at a replica at most, and for a short time. */
  static final SimulatedLimits FEW_PLACES =
      new SimulatedLimits(
          tight(Limits.DEFAULTS.sessionLeaseNanos(), ROOMY_CORE.bytes()), ROOMY.sizes(), HASTY, ROOMY.executionDeadline());

  /** Sessions expire after 1.5 s, also new ones. */
  static final SimulatedLimits SHORT_LEASES =
      new SimulatedLimits(
          new Limits(
              ROOMY_CORE.unstableUpdates(), ROOMY_CORE.logBytes(), ROOMY_CORE.chunkBytes(), ROOMY_CORE.sessions(),
              ROOMY_CORE.openPerSession(), ROOMY_CORE.identities(), ROOMY_CORE.identityNanos(), SHORT_LEASE_NANOS,
              ROOMY_CORE.heldRequests(), ROOMY_CORE.bytes()),
          ROOMY.sizes(), ROOMY.requestDeadline(), ROOMY.executionDeadline());

  /** Two sessions; owners with one session each open up to twice as many. */
  static final SimulatedLimits FEW_SESSIONS =
      new SimulatedLimits(
          new Limits(
              ROOMY_CORE.unstableUpdates(), ROOMY_CORE.logBytes(), ROOMY_CORE.chunkBytes(), 2, ROOMY_CORE.openPerSession(),
              ROOMY_CORE.identities(), ROOMY_CORE.identityNanos(), ROOMY_CORE.sessionLeaseNanos(), ROOMY_CORE.heldRequests(),
              ROOMY_CORE.bytes()),
          ROOMY.sizes(), ROOMY.requestDeadline(), ROOMY.executionDeadline());

  /** The state is transferred in one part. */
  static final SimulatedLimits LARGE_PARTS =
      new SimulatedLimits(
          new Limits(
              ROOMY_CORE.unstableUpdates(), ROOMY_CORE.logBytes(), Limits.DEFAULTS.chunkBytes(), ROOMY_CORE.sessions(),
              ROOMY_CORE.openPerSession(), ROOMY_CORE.identities(), ROOMY_CORE.identityNanos(), ROOMY_CORE.sessionLeaseNanos(),
              ROOMY_CORE.heldRequests(), ROOMY_CORE.bytes()),
          ROOMY.sizes(), ROOMY.requestDeadline(), ROOMY.executionDeadline());

  /** The same for all. */
  long leaseMarginNanos() {
    return TIMING.leaseMarginNanos();
  }

  static SimulatedLimits draw(World world) {
    long lease = world.chance(0.3) ? SHORT_LEASE_NANOS : ROOMY_CORE.sessionLeaseNanos();
    boolean tight = world.chance(0.4);
    ByteLimits bytes = bytes(world.chance(0.5) ? FEW_REPLIES_BYTES : USUAL.replies());
    Limits core = tight
        ? tight(lease, bytes)
        : new Limits(ROOMY_CORE.unstableUpdates(), ROOMY_CORE.logBytes(), ROOMY_CORE.chunkBytes(), ROOMY_CORE.sessions(),
            ROOMY_CORE.openPerSession(), ROOMY_CORE.identities(), ROOMY_CORE.identityNanos(), lease,
            ROOMY_CORE.heldRequests(), bytes);
    FrameSizes sizes = world.chance(0.3) ? new FrameSizes(8 << 20, 1 << 20, 1_000, 4_000) : ROOMY.sizes();
    boolean hasty = world.chance(0.3);
    return new SimulatedLimits(
        core,
        sizes,
        hasty ? HASTY : ROOMY.requestDeadline(),
        hasty ? Duration.ofMillis(500) : ROOMY.executionDeadline());
  }

  private static Limits tight(long lease, ByteLimits bytes) {
    return new Limits(4, 4 << 10, 2_048, 40, 6, ROOMY_CORE.identities(), ROOMY_CORE.identityNanos(), lease, 4, bytes);
  }

  /** The same, but what waits for a slow link, or for a joiner behind it, has room and time. */
  SimulatedLimits forSlowLinks() {
    FrameSizes longer = new FrameSizes(sizes.frameBytes(), sizes.updateBytes(), sizes.batchBytes(), ROOMY.sizes.queuedBytes());
    Limits longerLog = new Limits(
        core.unstableUpdates(), ROOMY_CORE.logBytes(), core.chunkBytes(), core.sessions(), core.openPerSession(), core.identities(),
        core.identityNanos(), core.sessionLeaseNanos(), core.heldRequests(), core.bytes());
    return new SimulatedLimits(longerLog, longer, ROOMY.requestDeadline(), ROOMY.executionDeadline());
  }

  private SimulatedLimits with(ByteLimits bytes) {
    return new SimulatedLimits(with(core, bytes), sizes, requestDeadline, executionDeadline);
  }

  private static Limits with(Limits core, ByteLimits bytes) {
    return new Limits(core.unstableUpdates(), core.logBytes(), core.chunkBytes(), core.sessions(), core.openPerSession(),
        core.identities(), core.identityNanos(), core.sessionLeaseNanos(), core.heldRequests(), bytes);
  }

  RuntimeSettings settings(ReplicaId self, List<ReplicaId> configured) {
    return new RuntimeSettings(
        self, configured, null, TIMING, core(self.number()), requestDeadline, executionDeadline, sizes);
  }

  /** Replicas differ in their limits on replicated data: only the primary's apply. */
  private Limits core(int replica) {
    return with(core, bytes(core.bytes().replies() + replica * 300L));
  }

  private static ByteLimits bytes(long replies) {
    return new ByteLimits(
        USUAL.state(), RESOURCE_BYTES, replies, USUAL.sessionReplies(), USUAL.reply(), USUAL.update(), USUAL.unstable());
  }
}
