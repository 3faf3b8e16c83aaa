package org.understudy.session;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** What a servlet of a test does with every request. */
@FunctionalInterface
interface ServletAction {
  void run(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException;

  /** The servlet that does it. */
  static HttpServlet servlet(ServletAction action) {
    return new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
        action.run(request, response);
      }
    };
  }
}
