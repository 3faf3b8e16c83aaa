package org.understudy.replication.simulation;

/**
 * The two clocks of one replica. The monotonic one begins anywhere, also below zero, and runs up to 2 % fast or slow; the
 * wall clock shows the world's time. Each can stand still for a while.
 */
final class SimulatedClock {
  private static final long DRIFT_PER_MILLE = 20;

  private final World world;
  private final long begun;
  private final long origin;
  private final long perMille;
  private final Stops monotonic = new Stops();
  private final Stops wall = new Stops();
  private long ahead;

  /** For how long a clock has stood still. */
  private final class Stops {
    private long before;
    private long since = -1;

    void stop() {
      since = since < 0 ? world.now() : since;
    }

    void go() {
      before = total();
      since = -1;
    }

    long total() {
      return before + (since < 0 ? 0 : world.now() - since);
    }
  }

  /** @param steady whether the monotonic clock runs as fast as the world's */
  SimulatedClock(World world, boolean steady) {
    this.world = world;
    this.begun = world.now();
    this.origin = world.number() / 2;
    long drift = world.between(-DRIFT_PER_MILLE, DRIFT_PER_MILLE);
    this.perMille = 1_000 + (steady ? 0 : drift);
  }

  /** The monotonic clock. */
  long now() {
    return origin + (world.now() - begun - monotonic.total()) * perMille / 1_000;
  }

  long wall() {
    return world.now() + ahead - wall.total();
  }

  void stopMonotonic() {
    monotonic.stop();
  }

  /**
   * Stops the monotonic clock as a suspended machine does. The wall clock goes on, because the machine has it from outside when it resumes:
   * nobody can notice that both have stood still, and leases assume that this does not happen.
   */
  void suspend() {
    wall.go();
    monotonic.stop();
  }

  void stopWall() {
    wall.stop();
  }

  /** Sets the wall clock by so much ahead of where it is. */
  void setWall(long nanos) {
    ahead += nanos;
  }

  /** Both clocks continue from where they are. */
  void go() {
    monotonic.go();
    wall.go();
  }
}
