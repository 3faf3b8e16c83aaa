package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.AsyncEvent;
import jakarta.servlet.AsyncListener;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** Asynchronous requests that use the session after the servlet has returned, at two Tomcats. */
class AsynchronousDispatchTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** Changes the session when a request ends, as containers of beans do. */
  public static final class Ender implements ServletRequestListener {
    @Override
    public void requestDestroyed(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      HttpSession session = request.getSession(false);
      if (session != null && request.getParameter("end") != null) {
        session.setAttribute("end", request.getParameter("end"));
      }
    }
  }

  /** Dispatches the request when its time is over. */
  private static final class Timeout implements AsyncListener {
    @Override
    public void onTimeout(AsyncEvent event) {
      event.getAsyncContext().dispatch("/work");
    }

    @Override
    public void onComplete(AsyncEvent event) {
      // The request has ended.
    }

    @Override
    public void onError(AsyncEvent event) {
      // Tomcat reports it.
    }

    @Override
    public void onStartAsync(AsyncEvent event) {
      // Once is enough.
    }
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (request.getDispatcherType() == DispatcherType.ASYNC) {
      dispatched(request, response);
      return;
    }
    if (request.getParameter("first") != null) {
      request.getSession().setAttribute("items", new ArrayList<>(List.of(request.getParameter("first"))));
    }
    AsyncContext context = request.startAsync();
    if (request.getParameter("after") != null) {
      request.getSession().setAttribute("after", request.getParameter("after"));
    }
    switch (request.getParameter("how")) {
      case "direct" -> context.dispatch("/work");
      case "thread" -> context.start(() -> context.dispatch("/work"));
      case "complete" -> context.complete();
      case "late complete" -> context.start(context::complete);
      default -> {
        context.setTimeout(1);
        context.addListener(new Timeout());
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void dispatched(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession session = request.getSession();
    if (request.getParameter("invalidate") != null) {
      session.invalidate();
      session = request.getSession();
    }
    if (request.getParameter("rename") != null) {
      request.changeSessionId();
    }
    List<String> items = (List<String>) session.getAttribute("items");
    if (items == null) {
      items = new ArrayList<>();
      session.setAttribute("items", items);
    }
    items.add(request.getParameter("then"));
    response.getWriter().println(items);
  }

  private static void application(Context context) {
    context.addApplicationListener(Ender.class.getName());
    SessionServer.servlet(context, "/work", ServletAction.servlet(AsynchronousDispatchTest::work));
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, AsynchronousDispatchTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private String send(String query) throws Exception {
    HttpResponse<String> answer = browser.send(browser.get(cluster.server(1).url("/work?" + query)));
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body().strip();
  }

  private String shown(int replica, String name) throws Exception {
    return browser.open(cluster.server(replica).url("/shop?do=show&name=" + name));
  }

  private void dispatchChanges(String how) throws Exception {
    assertEquals("[a, b]", send("first=a&then=b&how=" + how));
    assertEquals("[a, b]", shown(2, "items"));
    assertEquals("[a, b, c]", send("then=c&how=" + how));
    assertEquals("[a, b, c]", shown(2, "items"));
  }

  @Test
  void aDispatchChangesTheSession() throws Exception {
    dispatchChanges("direct");
  }

  @Test
  void aDispatchByAnotherThreadChangesTheSession() throws Exception {
    dispatchChanges("thread");
  }

  @Test
  void aDispatchAfterATimeoutChangesTheSession() throws Exception {
    dispatchChanges("timeout");
  }

  @Test
  void anAsynchronousRequestCreatesTheSession() throws Exception {
    send("after=a&how=complete");
    assertEquals("a", shown(2, "after"));
  }

  @Test
  void aDispatchCreatesTheSession() throws Exception {
    assertEquals("[b]", send("then=b&how=thread"));
    assertEquals("[b]", shown(2, "items"));
  }

  @Test
  void aDispatchReplacesTheSession() throws Exception {
    send("first=a&then=b&how=direct");
    String id = browser.cookie("JSESSIONID");
    assertEquals("[c]", send("then=c&invalidate=yes&how=thread"));
    assertEquals("[c]", shown(2, "items"));
    Browser old = new Browser();
    old.setCookie("JSESSIONID", id);
    assertEquals("none", old.open(cluster.server(2).url("/shop?do=show&name=items")));
    assertEquals("[c, d]", send("then=d&rename=yes&how=thread"));
    assertEquals("[c, d]", shown(2, "items"));
  }

  @Test
  void theEndOfARequestChangesTheSession() throws Exception {
    for (String how : List.of("direct", "thread", "complete", "late+complete")) {
      send("first=a&then=b&end=" + how + "&how=" + how);
      String expected = how.replace('+', ' ');
      Condition.await("the end of " + expected, () -> isShown(expected));
    }
  }

  private boolean isShown(String expected) {
    try {
      return expected.equals(shown(2, "end"));
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
