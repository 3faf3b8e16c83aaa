package org.understudy.replication.simulation;

/** The monotonic clock of one replica's life: it begins anywhere, also below zero, and runs up to 2 % fast or slow. */
final class SimulatedClock {
  private static final long DRIFT_PER_MILLE = 20;

  private final World world;
  private final long begun;
  private final long origin;
  private final long perMille;

  SimulatedClock(World world) {
    this.world = world;
    this.begun = world.now();
    this.origin = world.number() / 2;
    this.perMille = 1_000 + world.between(-DRIFT_PER_MILLE, DRIFT_PER_MILLE);
  }

  long now() {
    return origin + (world.now() - begun) * perMille / 1_000;
  }
}
