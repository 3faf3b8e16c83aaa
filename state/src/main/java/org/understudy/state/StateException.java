package org.understudy.state;

/** Reports a state or type that cannot be captured, compared or restored. The message contains the path to the cause. */
public final class StateException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  private static final int MAX_PATH = 400;
  /** How the library's message about the depth begins. */
  private static final String DEPTH = "Max depth exceeded";

  private final String reason;
  private final String path;

  public StateException(String reason) {
    this("", reason, null);
  }

  private StateException(String path, String reason, Throwable cause) {
    super((path.isEmpty() ? "" : shortened(path) + ": ") + reason);
    this.path = path;
    this.reason = reason;
    if (cause != null) {
      initCause(cause);
    }
  }

  /** Returns an exception with the reason of the given one, and this field or element prepended to its path. */
  static StateException through(String step, RuntimeException thrown) {
    if (thrown instanceof StateException inner) {
      String path = inner.path.isEmpty() ? step : step + " -> " + inner.path;
      return new StateException(path, inner.reason, inner.getCause());
    }
    return new StateException(step, reason(thrown), thrown);
  }

  /** Shortens a path, because a path through a deep graph has many steps. */
  private static String shortened(String path) {
    int length = path.length();
    return length <= MAX_PATH ? path : path.substring(0, MAX_PATH / 2) + " … " + path.substring(length - MAX_PATH / 2);
  }

  private static String reason(RuntimeException thrown) {
    String message = thrown.getMessage();
    if (message != null && message.startsWith(DEPTH)) {
      return "the state has more than " + Graph.MAX_DEPTH + " objects within objects. Keep a long chain of objects in a list instead.";
    }
    return message == null ? thrown.getClass().getSimpleName() : message.lines().findFirst().orElse("");
  }
}
