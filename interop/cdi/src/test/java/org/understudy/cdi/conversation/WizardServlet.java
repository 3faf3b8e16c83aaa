package org.understudy.cdi.conversation;

import jakarta.enterprise.inject.spi.CDI;
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
    String answer =
        switch (request.getParameter("do")) {
          case "begin" -> wizard.begin();
          case "add" -> wizard.add(request.getParameter("page"));
          case "end" -> wizard.end();
          default -> Integer.toString(CDI.current().select(Visitor.class).get().visit());
        };
    response.getWriter().print(answer);
  }
}
