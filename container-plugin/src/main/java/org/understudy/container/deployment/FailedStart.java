package org.understudy.container.deployment;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.EnumSet;
import org.understudy.container.health.HealthReport;
import org.understudy.container.health.HealthServlet;
import org.understudy.replication.runtime.management.JsonObject;

/**
 * Answers the requests to a web application whose replica could not be opened with 503, and at {@code /health} with the reason. Without
 * it, the application's own endpoints would serve without replication. Static files stay. Thread-safe.
 */
final class FailedStart extends HttpFilter implements HealthReport {
  private static final long serialVersionUID = 1L;
  private static final String NAME = "understudy-failed-start";
  /** Tomcat's. */
  private static final String STATIC_FILES = "org.apache.catalina.servlets.DefaultServlet";

  private final String why;

  private FailedStart(String why) {
    this.why = why;
  }

  /** @param why in sentences */
  static void register(ServletContext context, String why) {
    FailedStart failed = new FailedStart(why);
    context.setAttribute(FailedStart.class.getName(), why);
    context.addFilter(NAME, failed).addMappingForUrlPatterns(EnumSet.allOf(DispatcherType.class), false, "/*");
    context.addServlet(NAME, new HealthServlet(failed)).addMapping("/health/*");
  }

  /** Returns why the replica of a web application could not be opened; null if it could, or was not tried. */
  static String reason(ServletContext context) {
    return (String) context.getAttribute(FailedStart.class.getName());
  }

  @Override
  public Answer answer(String check) {
    return new Answer(503, new JsonObject().put("role", "HALTED").put("halted", why).put("ready", false).put("writable", false) + "\n");
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ServletRegistration servlet = request.getServletContext().getServletRegistration(request.getHttpServletMapping().getServletName());
    boolean isStatic = servlet != null && STATIC_FILES.equals(servlet.getClassName());
    if (isStatic || request.getServletPath().equals("/health")) {
      chain.doFilter(request, response);
      return;
    }
    response.setStatus(HttpServletResponse.SC_SERVICE_UNAVAILABLE);
    response.setContentType("text/plain");
    response.getWriter().write("Understudy has not started. The log of the server and /health/live of this application have the reason.\n");
  }
}
