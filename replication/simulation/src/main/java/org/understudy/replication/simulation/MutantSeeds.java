package org.understudy.replication.simulation;

import java.util.stream.LongStream;

/** The seeds at which to look for what a dropped rule causes, in order. */
public final class MutantSeeds {
  private MutantSeeds() {}

  /**
   * Returns the seed that caught the mutant before, and then all from 1. A mutant that only a late seed catches is so found at once, as
   * long as the code draws the same random numbers; after a change that draws others, the search begins anew and finds another seed to
   * name.
   *
   * @param known null if no seed is known
   */
  public static LongStream of(Integer known, long last) {
    LongStream all = LongStream.rangeClosed(1, last);
    return known == null ? all : LongStream.concat(LongStream.of(known), all);
  }
}
