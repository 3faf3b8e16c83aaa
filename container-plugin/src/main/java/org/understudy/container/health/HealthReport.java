package org.understudy.container.health;

/** Reports health over HTTP. Thread-safe; does not block. */
public interface HealthReport {
  /**
   * A response.
   *
   * @param body one line of JSON
   */
  record Answer(int status, String body) {}

  /**
   * Evaluates one check: status 200 when it passes, else 503.
   *
   * @param check the path after {@code /health}
   * @return null for an unknown check
   */
  Answer answer(String check);

  /** Returns the sentence for an unknown check. */
  default String usage() {
    return "Unknown path. Use /health/live, /health/ready or /health/writable.";
  }
}
