package org.understudy.cdi.conversation;

import jakarta.enterprise.inject.spi.CDI;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/** Uses beans only, never the session itself. */
public class WizardServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Wizard wizard = CDI.current().select(Wizard.class).get();
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      response.getWriter().print(wizard.begin());
      wizard.add("error");
      return;
    }
    String answer =
        switch (request.getParameter("do")) {
          case "begin" -> wizard.begin();
          case "fail" -> fail(response);
          case "complete" -> complete(request, wizard.begin());
          case "add" -> wizard.add(request.getParameter("page"));
          case "end" -> wizard.end();
          default -> Integer.toString(CDI.current().select(Visitor.class).get().visit());
        };
    response.getWriter().print(answer);
  }

  private static String fail(HttpServletResponse response) throws IOException {
    response.sendError(418);
    return "";
  }

  /** Ends by another thread. */
  private static String complete(HttpServletRequest request, String answer) {
    AsyncContext context = request.startAsync();
    context.start(context::complete);
    return answer;
  }
}
