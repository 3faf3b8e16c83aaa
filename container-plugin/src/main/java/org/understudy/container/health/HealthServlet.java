package org.understudy.container.health;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** A {@link HealthReport} at {@code /health/live}, {@code /health/ready} and {@code /health/writable} of the web application. */
public final class HealthServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient HealthReport health;

  public HealthServlet(HealthReport health) {
    this.health = health;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HealthReport.Answer answer = health.answer(request.getPathInfo());
    if (answer == null) {
      response.sendError(404, health.usage());
      return;
    }
    response.setStatus(answer.status());
    response.setContentType("application/json");
    response.getWriter().write(answer.body());
  }
}
