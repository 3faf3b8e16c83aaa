package org.understudy.thread;

/**
 * A label for the names of daemon threads, for processes that hold the same parts several times. Threads inherit it from the thread that
 * makes them; a {@link DaemonThreads} keeps that of the thread that made it.
 */
public final class ThreadLabel {
  private static final InheritableThreadLocal<String> LABEL = new InheritableThreadLocal<>();

  private ThreadLabel() {}

  /**
   * Gives this thread a label. Set the earlier one again, in a finally block.
   *
   * @param label appended to names, after {@code @}; empty for none
   * @return the earlier label; empty for none
   */
  public static String set(String label) {
    String before = get();
    if (label.isEmpty()) {
      LABEL.remove();
    } else {
      LABEL.set(label);
    }
    return before;
  }

  private static String get() {
    String label = LABEL.get();
    return label == null ? "" : label;
  }

  /** Returns what this thread's label adds to names; empty without one. */
  static String suffix() {
    String label = get();
    return label.isEmpty() ? "" : "@" + label;
  }
}
