package org.understudy.lab.session;

/**
 * The number of measurements.
 *
 * @param warmUp requests of each content at each server that are not counted
 * @param calls requests of each content at each server
 * @param batch consecutive requests of one content at one server
 */
record Scale(int warmUp, int calls, int batch) {
  /** Some four minutes on two processors. A server has executed 9,000 requests, and applied 18,000, before anything is counted. */
  static final Scale FULL = new Scale(1_500, 1_000, 25);

  /** Under a minute: enough to notice errors. */
  static final Scale QUICK = new Scale(50, 100, 25);

  /** Whether servers are compiled before anything is counted. */
  boolean isWarm() {
    return warmUp >= FULL.warmUp;
  }
}
