package org.understudy.session;

import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A web application in one servlet: the parameter {@code do} says what a request does. */
final class ShopServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    process(request, response);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    process(request, response);
  }

  private static void process(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    response.setContentType("text/plain;charset=UTF-8");
    String text =
        switch (String.valueOf(request.getParameter("do"))) {
          case "count" -> count(request.getSession());
          case "put" -> put(request);
          case "add" -> add(request.getSession(), request.getParameter("item"));
          case "unserializable" -> unserializable(request.getSession());
          case "contained" -> contained(request.getSession());
          case "id" -> request.changeSessionId();
          case "login" -> login(request);
          case "user" -> request.getSession().getId() + " " + request.getRemoteUser() + " " + request.isUserInRole("customer");
          case "end" -> end(request.getSession());
          case "short" -> shorten(request.getSession());
          case "fail" -> fail(response);
          case "redirect" -> redirect(request, response);
          case "long" -> count(request.getSession()) + "x".repeat(Integer.parseInt(request.getParameter("length")));
          case "show" -> show(request.getSession(false), request.getParameter("name"));
          default -> "nothing";
        };
    if (text != null) {
      response.getWriter().print(text);
    }
  }

  private static String count(HttpSession session) {
    Integer count = (Integer) session.getAttribute("count");
    int next = count == null ? 1 : count + 1;
    session.setAttribute("count", next);
    return Integer.toString(next);
  }

  private static String put(HttpServletRequest request) {
    request.getSession().setAttribute(request.getParameter("name"), request.getParameter("value"));
    return "put";
  }

  /** Changes the list in place after it has been set once. */
  @SuppressWarnings("unchecked")
  private static String add(HttpSession session, String item) {
    List<String> items = (List<String>) session.getAttribute("items");
    if (items == null) {
      items = new ArrayList<>();
      session.setAttribute("items", items);
    }
    items.add(item);
    return items.toString();
  }

  private static String unserializable(HttpSession session) {
    session.setAttribute("before", "set");
    session.setAttribute("thread", new ThreadGroup("none"));
    return "unserializable";
  }

  private static String contained(HttpSession session) {
    session.setAttribute("before", "set");
    session.setAttribute("list", new ArrayList<>(Arrays.asList(new ThreadGroup("none"))));
    return "contained";
  }

  private static String login(HttpServletRequest request) throws ServletException {
    request.getSession();
    String user = request.getParameter("user");
    request.login(user == null ? "alice" : user, "secret");
    return request.getRemoteUser();
  }

  private static String end(HttpSession session) {
    session.invalidate();
    return "ended";
  }

  private static String shorten(HttpSession session) {
    session.setMaxInactiveInterval(1);
    return "short";
  }

  private static String fail(HttpServletResponse response) throws IOException {
    response.sendError(HttpServletResponse.SC_GONE, "gone for good");
    return null;
  }

  private static String redirect(HttpServletRequest request, HttpServletResponse response) throws IOException {
    count(request.getSession());
    response.sendRedirect("shop?do=show&name=count");
    return null;
  }

  private static String show(HttpSession session, String name) {
    return session == null ? "none" : String.valueOf(session.getAttribute(name));
  }
}
