package org.understudy.replication.simulation;

import org.understudy.replication.core.Limits;

/** The limits of a simulated group: small enough to be hit in some histories, out of the way in others. */
final class SimulatedLimits {
  private static final long SHORT_LEASE_NANOS = 1_500_000_000L;

  static final Limits ROOMY = new Limits(200, 1 << 20, 2_048, 1_000, 256, 512, Limits.DEFAULTS.sessionLeaseNanos(), 500);

  private SimulatedLimits() {}

  static Limits draw(World world) {
    long lease = world.chance(0.3) ? SHORT_LEASE_NANOS : ROOMY.sessionLeaseNanos();
    boolean tight = world.chance(0.4);
    return tight
        ? new Limits(4, 4 << 10, 2_048, 12, 6, ROOMY.messageIdWindow(), lease, 3)
        : new Limits(ROOMY.unstableUpdates(), ROOMY.logBytes(), ROOMY.chunkBytes(), ROOMY.sessions(),
            ROOMY.openPerSession(), ROOMY.messageIdWindow(), lease, ROOMY.heldRequests());
  }
}
