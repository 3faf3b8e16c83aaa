package org.understudy.notification.xpath;

/** Counts what one evaluation does, in units of about a node visited, and ends it when that is too much. For one thread. */
final class Budget {
  /** Characters handled in the time of a node visited, roughly. */
  private static final int CHARS_A_UNIT = 16;

  private final long weight;
  private long left;

  /**
   * A budget.
   *
   * @param units what may be spent
   * @param weight what a step costs: a long expression may do much with a node without visiting another
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

  /** Passes through Jaxen, which knows nothing of it. Without a stack trace. */
  static final class SpentException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    SpentException() {
      super("The evaluation went over its budget.", null, false, false);
    }
  }
}
