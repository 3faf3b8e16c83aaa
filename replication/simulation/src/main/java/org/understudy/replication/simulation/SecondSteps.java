package org.understudy.replication.simulation;

/**
 * When the second step of an update is done: its thread may have to wait for the processor, while others step the same replica. In half of
 * the histories always at once.
 */
public final class SecondSteps {
  private static final long MILLISECOND = 1_000_000;

  private final World world;
  /** How often one is late. */
  private final double late;

  private SecondSteps(World world, double late) {
    this.world = world;
    this.late = late;
  }

  /** For scenarios. */
  public static SecondSteps atOnce(World world) {
    return new SecondSteps(world, 0);
  }

  public static SecondSteps draw(World world) {
    return new SecondSteps(world, world.chance(0.5) ? 0 : world.chance(0.5) ? 0.2 : 0.7);
  }

  /** Nanoseconds by which the next one is late; mostly shorter than a message takes, rarely long enough for a view change. */
  public long delay() {
    if (late == 0 || !world.chance(late)) {
      return 0;
    }
    long longest = world.chance(0.95) ? 3 : world.chance(0.9) ? 100 : 1_000;
    return 1 + world.between(0, longest * MILLISECOND);
  }
}
