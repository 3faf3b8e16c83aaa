package org.understudy.lab.torture.check;

/**
 * A violation, and where to look for transactions of unknown outcome that explain it.
 *
 * @param resource the counter; -1 for all
 * @param from the values of it between which the violation is
 * @param weight how bad it is: what is left unexplained
 */
record Finding(Violation violation, int resource, int from, int to, int weight) {
  /** One that has no place. */
  static Finding anywhere(Violation violation) {
    return new Finding(violation, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, 1);
  }

  boolean near(Event event) {
    return resource < 0 || event.operation().resource() == resource && event.from() <= to && event.to() >= from;
  }
}
