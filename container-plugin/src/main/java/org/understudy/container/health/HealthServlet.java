package org.understudy.container.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** {@link Health} at {@code /health/live}, {@code /health/ready} and {@code /health/writable} of the web application. */
public final class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient Health health;

  public HealthServlet(Health health) {
    this.health = health;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Health.Answer answer = health.answer(request.getPathInfo());
    if (answer == null) {
      response.sendError(404, "Unknown path. Use /health/live, /health/ready or /health/writable.");
      return;
    }
    response.setStatus(answer.status());
    response.setContentType("application/json");
    response.getWriter().write(answer.body());
  }
}
