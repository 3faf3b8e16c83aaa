package org.understudy.lab.torture.history;

/**
 * What the health page of a replica answered: that it is writable. It was so at some moment between the two times.
 *
 * @param epoch of the replica's view
 * @param invoked when the page was asked for, in ns
 * @param returned when the answer was there, in ns on the same clock
 */
public record WritableReport(int replica, long epoch, long invoked, long returned) {
  /** For people. */
  public String describe() {
    return String.format("replica %d in epoch %d [%.3f s to %.3f s]", replica, epoch, invoked / 1e9, returned / 1e9);
  }
}
