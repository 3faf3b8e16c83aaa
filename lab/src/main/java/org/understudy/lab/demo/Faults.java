package org.understudy.lab.demo;

import java.util.Arrays;

/**
 * The faults that the demonstration causes, and the failovers that its clients followed, by the replica that both are about:
 * 0 for the primary, otherwise the number of a replica. Thread-safe.
 */
final class Faults {
  private final long[] caused;
  private final long[] followed;

  Faults(int replicas) {
    caused = new long[replicas + 1];
    followed = new long[replicas + 1];
  }

  synchronized void caused(int replica) {
    caused[replica]++;
  }

  /** One client of this replica switched so many times to another one. */
  synchronized void followed(int replica, long failovers) {
    followed[replica] = Math.max(followed[replica], failovers);
  }

  /** The failovers of the client that followed most of them, of each replica. */
  synchronized long followed() {
    return Arrays.stream(followed).sum();
  }

  /** Whether each fault was followed by a client of that replica. */
  synchronized boolean areFollowed() {
    for (int i = 0; i < caused.length; i++) {
      if (followed[i] < caused[i]) {
        return false;
      }
    }
    return true;
  }

  @Override
  public synchronized String toString() {
    return "caused " + Arrays.toString(caused) + ", followed " + Arrays.toString(followed)
        + " (of the primary, of replica 1, 2 and so on)";
  }
}
