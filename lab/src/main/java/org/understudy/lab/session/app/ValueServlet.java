package org.understudy.lab.session.app;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Keeps values of some bytes in attributes of the session. Each begins with a number of the client, so that the client can check
 * which update it sees. Parameters: {@code n}, the number; {@code bytes} of an attribute; {@code attributes}.
 */
public final class ValueServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  /** Replaces one attribute, and answers with the number that it had. The first request of a session sets all. */
  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int number = Integer.parseInt(request.getParameter("n"));
    int bytes = Integer.parseInt(request.getParameter("bytes"));
    int attributes = Integer.parseInt(request.getParameter("attributes"));
    HttpSession session = request.getSession();
    if (session.isNew()) {
      for (int i = 0; i < attributes; i++) {
        session.setAttribute("value" + i, value(0, bytes));
      }
    }
    String name = "value" + number % attributes;
    String before = number(session, name);
    session.setAttribute(name, value(number, bytes));
    response.getWriter().print(before);
  }

  /** Answers with the number of the attribute that {@code n} selects, or with {@code none}. */
  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    int number = Integer.parseInt(request.getParameter("n"));
    HttpSession session = request.getSession(false);
    String name = "value" + number % Integer.parseInt(request.getParameter("attributes"));
    response.getWriter().print(session == null ? "none" : number(session, name));
  }

  private static byte[] value(int number, int bytes) {
    byte[] value = new byte[bytes];
    Arrays.fill(value, (byte) number);
    ByteBuffer.wrap(value).putInt(number);
    return value;
  }

  private static String number(HttpSession session, String name) {
    byte[] value = (byte[]) session.getAttribute(name);
    return value == null ? "none" : Integer.toString(ByteBuffer.wrap(value).getInt());
  }
}
