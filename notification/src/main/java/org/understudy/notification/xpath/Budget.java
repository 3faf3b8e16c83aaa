package org.understudy.notification.xpath;

/** Limits the work of one evaluation, in units of about a visited node. Not thread-safe. */
final class Budget {
  /** Characters processed in about the time of a visited node. */
  private static final int CHARS_A_UNIT = 16;

  private final long weight;
  private long left;

  /**
   * @param units the limit
   * @param weight the cost of a step: a long expression may do much with a node without visiting another
   */
  Budget(long units, int weight) {
    this.left = units;
    this.weight = weight;
  }

  void step() {
    spend(weight);
  }

  void chars(long number) {
    spend(weight + number / CHARS_A_UNIT);
  }

  private void spend(long units) {
    left -= units;
    if (left < 0) {
      throw new SpentException();
    }
  }

  /** Passes through Jaxen. Without a stack trace. */
  static final class SpentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpentException() {
      super("The evaluation went over its budget.", null, false, false);
    }
  }
}
