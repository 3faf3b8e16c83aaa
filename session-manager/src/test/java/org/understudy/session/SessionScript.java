package org.understudy.session;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionBindingListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionIdListener;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;

/** Does what the parameter {@code ops} lists, a word each, and answers with the results. Its listeners record all events. */
final class SessionScript extends HttpServlet {
  private static final long serialVersionUID = 1L;
  /** The attribute of the servlet context with the list of events. */
  static final String EVENTS = "events";

  /** Records what it hears. */
  public static final class Recorder implements HttpSessionListener, HttpSessionAttributeListener, HttpSessionIdListener {
    @SuppressWarnings("unchecked")
    static void add(HttpSession session, String event) {
      ((List<String>) session.getServletContext().getAttribute(EVENTS)).add(event + " " + session.getId());
    }

    @Override
    public void sessionCreated(HttpSessionEvent event) {
      add(event.getSession(), "created");
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      add(event.getSession(), "destroyed " + names(event.getSession()));
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
      add(event.getSession(), "added " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void attributeRemoved(HttpSessionBindingEvent event) {
      add(event.getSession(), "removed " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
      add(event.getSession(), "replaced " + event.getName() + "=" + event.getValue());
    }

    @Override
    public void sessionIdChanged(HttpSessionEvent event, String old) {
      add(event.getSession(), "renamed " + old);
    }
  }

  /** An attribute that hears where it is. */
  private record Bound(String value) implements HttpSessionBindingListener, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public void valueBound(HttpSessionBindingEvent event) {
      Recorder.add(event.getSession(), "bound " + event.getName() + "=" + value);
    }

    @Override
    public void valueUnbound(HttpSessionBindingEvent event) {
      Recorder.add(event.getSession(), "unbound " + event.getName() + "=" + value);
    }
  }

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    if (request.getDispatcherType() == DispatcherType.ERROR) {
      response.getWriter().println("page " + request.getSession().getAttribute("a"));
      request.getSession().setAttribute("page", "shown");
      return;
    }
    if (request.getDispatcherType() == DispatcherType.REQUEST) {
      // A run that is undone and repeated calls the listeners again.
      ((List<?>) getServletContext().getAttribute(EVENTS)).clear();
    }
    run(request, response, new ArrayList<>(List.of(request.getParameter("ops").split(" "))));
  }

  private void run(HttpServletRequest request, HttpServletResponse response, List<String> ops) throws IOException, ServletException {
    while (!ops.isEmpty()) {
      String op = ops.remove(0);
      String result;
      try {
        result = one(request, response, op, ops);
      } catch (IllegalStateException e) {
        result = e.getClass().getName();
      }
      if (result == null) {
        return;
      }
      response.getWriter().println(op + ": " + result);
    }
  }

  /** Null when the rest has been done elsewhere. */
  private String one(HttpServletRequest request, HttpServletResponse response, String op, List<String> ops)
      throws IOException, ServletException {
    String[] words = op.split(":");
    switch (words[0]) {
      case "forward", "include", "named" -> {
        String path = "/script?ops=" + String.join("+", ops.isEmpty() ? List.of("current") : ops);
        if (op.equals("forward")) {
          request.getRequestDispatcher(path).forward(request, response);
        } else if (op.equals("include")) {
          request.getRequestDispatcher(path).include(request, response);
        } else {
          // It has the same parameters.
          getServletContext().getNamedDispatcher("shop").include(request, response);
          return "included";
        }
        return null;
      }
      case "error" -> {
        response.sendError(418, "a teapot");
        return null;
      }
      case "redirect" -> {
        response.sendRedirect("script?ops=current");
        return null;
      }
      case "login" -> {
        if (request.getRemoteUser() != null) {
          return "logged in";
        }
        request.login("alice", "secret");
        return request.getRemoteUser() + " " + request.getAuthType();
      }
      case "logout" -> {
        request.logout();
        return request.getRemoteUser();
      }
      default -> {
        return ofSession(request, response, words);
      }
    }
  }

  private static String ofSession(HttpServletRequest request, HttpServletResponse response, String[] words) {
    return switch (words[0]) {
      case "current" -> described(request.getSession(false));
      case "valid" -> request.isRequestedSessionIdValid() + " " + request.isRequestedSessionIdFromCookie();
      case "requested" -> request.getRequestedSessionId();
      case "user" -> request.getRemoteUser() + " " + request.isUserInRole("customer");
      case "rename" -> request.getSession(false) == null ? "none" : request.changeSessionId();
      case "hold" -> {
        request.setAttribute("held", request.getSession());
        yield "held";
      }
      case "held" -> held(request);
      case "encode" -> response.encodeURL("/script").replaceAll(";.*", ";id");
      default -> ofAttributes(request.getSession(), words);
    };
  }

  private static String held(HttpServletRequest request) {
    HttpSession held = (HttpSession) request.getAttribute("held");
    if (held == null) {
      return "none";
    }
    held.setAttribute("held", "set");
    return described(held);
  }

  @SuppressWarnings("unchecked")
  private static String ofAttributes(HttpSession session, String[] words) {
    switch (words[0]) {
      case "set" -> session.setAttribute(words[1], words[2]);
      case "null" -> session.setAttribute(words[1], null);
      case "remove" -> session.removeAttribute(words[1]);
      case "bind" -> session.setAttribute(words[1], new Bound(words[2]));
      case "end" -> session.invalidate();
      case "interval" -> session.setMaxInactiveInterval(Integer.parseInt(words[1]));
      case "add" -> {
        if (!(session.getAttribute(words[1]) instanceof List<?>)) {
          session.setAttribute(words[1], new ArrayList<>(List.of(new ArrayList<>())));
        }
        // Within an object of the attribute.
        ((List<List<String>>) session.getAttribute(words[1])).get(0).add(words[2]);
      }
      case "new" -> {
        return session.isNew() + " " + (session.getCreationTime() > 0) + " " + (session.getLastAccessedTime() >= session.getCreationTime());
      }
      default -> {
        return String.valueOf(session.getAttribute(words[1]));
      }
    }
    return "done";
  }

  private static String described(HttpSession session) {
    return session == null ? "none" : session.getId() + " " + session.getMaxInactiveInterval() + " " + names(session);
  }

  private static String names(HttpSession session) {
    StringBuilder all = new StringBuilder();
    new TreeSet<>(Collections.list(session.getAttributeNames()))
        .forEach(name -> all.append(name).append('=').append(session.getAttribute(name)).append(' '));
    return all.toString();
  }
}
