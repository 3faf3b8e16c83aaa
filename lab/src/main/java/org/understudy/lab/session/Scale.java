package org.understudy.lab.session;

/**
 * The number of measurements.
 *
 * @param warmUp requests of each content at each server that are not counted
 * @param calls requests of each content at each server
 * @param batch consecutive requests of one content at one server
 */
record Scale(int warmUp, int calls, int batch) {
  /** Some seven minutes on two processors. A server has executed 18,000 requests, and applied 36,000, before anything is counted. */
  static final Scale FULL = new Scale(3_000, 1_000, 25);

  /** Under a minute: enough to notice errors. */
  static final Scale QUICK = new Scale(50, 100, 25);

  /** Whether servers are compiled before anything is counted. */
  boolean isWarm() {
    return warmUp >= FULL.warmUp;
  }
}
