package org.understudy.session.management;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.understudy.replication.runtime.management.JsonObject;
import org.understudy.replication.runtime.management.ReplicaHealth;

/** The health of a replica of sessions over HTTP, below a path of the web application. Thread-safe; does not block. */
public final class HealthPages {
  private final String path;
  private final String group;
  private final String strategy;
  private final ReplicaHealth health;
  private final SessionStatisticsMXBean statistics;

  /**
   * Serves the pages {@code live} and {@code ready}.
   *
   * @param path below which they are, from the web application's root; empty for none
   */
  public HealthPages(String path, String group, String strategy, ReplicaHealth health, SessionStatisticsMXBean statistics) {
    this.path = path;
    this.group = group;
    this.strategy = strategy;
    this.health = health;
    this.statistics = statistics;
  }

  /**
   * Answers a request for a page: status 200 when the check passes, else 503, and one line of JSON.
   *
   * @param requested the path within the web application
   * @return false for a path that is not one of these pages
   */
  public boolean answer(String requested, HttpServletResponse response) throws IOException {
    if (path.isEmpty() || !requested.startsWith(path + "/")) {
      return false;
    }
    // A request of a session may change it, so a replica is ready when it executes updates.
    boolean ready = health.passes("/writable");
    boolean passed;
    switch (requested.substring(path.length())) {
      case "/live" -> passed = health.passes("/live");
      case "/ready" -> passed = ready;
      default -> {
        response.sendError(HttpServletResponse.SC_NOT_FOUND, "Unknown path. Use " + path + "/live or " + path + "/ready.");
        return true;
      }
    }
    JsonObject report = new JsonObject().put("group", group);
    health.describe(report, ready);
    report
        .put("strategy", strategy)
        .put("httpSessions", statistics.getSessions())
        .put("updates", statistics.getUpdates())
        .put("failures", statistics.getFailures());
    byte[] body = (report + "\n").getBytes(StandardCharsets.UTF_8);
    response.setStatus(passed ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("application/json");
    response.setHeader("Cache-Control", "no-store");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
    return true;
  }
}
