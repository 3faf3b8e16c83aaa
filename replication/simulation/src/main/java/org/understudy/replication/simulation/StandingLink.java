package org.understudy.replication.simulation;

/**
 * One direction between two replicas in a history whose links are long, uneven or narrow from beginning to end. As on a connection,
 * messages arrive in the order in which they are sent, and leave after those before them.
 */
final class StandingLink {
  private static final long MILLISECOND = 1_000_000L;
  private static final double BYTES_IN_KBIT = 125;
  /** What connections and frames add to a message. */
  private static final long HEADER_BYTES = 80;
  /** One over the exponent of Pareto's distribution. */
  private static final double TAIL = 0.5;
  /** The longest delay of a tail, in jitters. */
  private static final double LONGEST_TAIL = 8;
  /** As much as a sender keeps for one replica. */
  private static final long MOST_QUEUED = 64 << 20;

  /** How the delays of one link differ. */
  enum Shape {
    CONSTANT,
    /** Even, up to the jitter. */
    JITTER,
    /** Mostly short, and sometimes several jitters, as when a packet is sent again. */
    HEAVY_TAIL
  }

  /**
   * What a link is like.
   *
   * @param jitterNanos more than the delay
   * @param kbits in a second; 0 for an unlimited bandwidth
   * @param queueBytes what waits at most; messages that would exceed it are lost
   */
  record Quality(Shape shape, long delayNanos, long jitterNanos, long kbits, long queueBytes) {
    /** The longest time of a message on a link without traffic. */
    long longestNanos() {
      double jitters = shape == Shape.CONSTANT ? 0 : shape == Shape.JITTER ? 1 : LONGEST_TAIL;
      return delayNanos + (long) (jitters * jitterNanos) + waiting(HEADER_BYTES);
    }

    private long waiting(long bytes) {
      return kbits == 0 ? 0 : (long) (bytes / (kbits * BYTES_IN_KBIT) * 1e9);
    }

    private static Quality draw(World world, Shape shape, long delay, long kbits) {
      long jitter = shape == Shape.CONSTANT ? 0 : world.between(MILLISECOND, Math.max(5 * MILLISECOND, delay / 4));
      return new Quality(shape, delay, jitter, kbits, world.between(32_000, 256_000));
    }
  }

  private static final long[] KBITS = {0, 0, 10_000, 2_000, 500};

  private final World world;
  private final Quality quality;
  private long free;

  StandingLink(World world, Quality quality) {
    this.world = world;
    this.quality = quality;
  }

  /** Draws the links of a group: those of a direction are like each other in some histories, and all different in others. */
  static StandingLink[][] draw(World world, int size, long longestDelayMs) {
    Shape[] shapes = Shape.values();
    Shape shape = shapes[world.pick(shapes.length)];
    long delay = world.between(5, longestDelayMs) * MILLISECOND;
    long kbits = KBITS[world.pick(KBITS.length)];
    boolean equal = world.chance(0.5);
    StandingLink[][] links = new StandingLink[size + 1][size + 1];
    for (int from = 1; from <= size; from++) {
      for (int to = 1; to <= size; to++) {
        Quality quality = equal
            ? Quality.draw(world, shape, delay, kbits)
            : Quality.draw(world, shapes[world.pick(shapes.length)], world.between(MILLISECOND, delay), KBITS[world.pick(KBITS.length)]);
        links[from][to] = new StandingLink(world, quality);
      }
    }
    return links;
  }

  /** The links of a group which all have this bandwidth, and no other delay. */
  static StandingLink[][] narrow(World world, int size, long kbits) {
    StandingLink[][] links = new StandingLink[size + 1][size + 1];
    for (int from = 1; from <= size; from++) {
      for (int to = 1; to <= size; to++) {
        links[from][to] = new StandingLink(world, new Quality(Shape.CONSTANT, 0, 0, kbits, MOST_QUEUED));
      }
    }
    return links;
  }

  Quality quality() {
    return quality;
  }

  /** Sends a message; returns after how long it arrives, but for the order; negative when it is lost. */
  long send(long bytes) {
    long waits = Math.max(0, free - world.now());
    if (waits > quality.waiting(quality.queueBytes())) {
      return -1;
    }
    free = world.now() + waits + quality.waiting(bytes + HEADER_BYTES);
    return free - world.now() + quality.delayNanos() + jitter();
  }

  private long jitter() {
    double even = world.between(0, MILLISECOND) / (double) MILLISECOND;
    return switch (quality.shape()) {
      case CONSTANT -> 0;
      case JITTER -> (long) (even * quality.jitterNanos());
      case HEAVY_TAIL -> (long) (Math.min(LONGEST_TAIL, Math.pow(1.001 - even, -TAIL) - 1) * quality.jitterNanos());
    };
  }
}
