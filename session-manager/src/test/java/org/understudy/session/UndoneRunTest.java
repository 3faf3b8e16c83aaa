package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A run that is undone because the session was changed at the other Tomcat meanwhile, beside another request of the session that has
 * its object already, as beans of a session have.
 */
class UndoneRunTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  /** The steps of one test, by its name. */
  private static final Map<String, Steps> STEPS = new ConcurrentHashMap<>();

  private final Browser browser = new Browser();

  /** What two requests wait for. */
  private static final class Steps {
    final AtomicInteger runs = new AtomicInteger();
    final CountDownLatch entered = new CountDownLatch(1);
    final CountDownLatch kept = new CountDownLatch(1);
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(30, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Keeps the session for the request. */
  public static final class Keeper implements ServletRequestListener {
    @Override
    public void requestInitialized(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      request.setAttribute("kept", request.getSession(request.getParameter("make") != null));
      if ("keep".equals(request.getParameter("do"))) {
        STEPS.get(request.getParameter("test")).kept.countDown();
      }
    }
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    Steps steps = STEPS.get(request.getParameter("test"));
    if ("keep".equals(request.getParameter("do"))) {
      HttpSession kept = (HttpSession) request.getAttribute("kept");
      kept.setAttribute("kept", "yes");
      response.getWriter().print(kept.getId() + " " + kept.getAttribute("count"));
      return;
    }
    int run = steps.runs.incrementAndGet();
    HttpSession session = request.getSession();
    session.getAttribute("count");
    steps.entered.countDown();
    if (run > 1) {
      session.setAttribute("changed", "yes");
      if (request.getParameter("then") != null) {
        response.sendRedirect(request.getParameter("then") + run);
        return;
      }
      response.getWriter().print("run " + run + " " + session.getAttribute("count"));
      return;
    }
    String id = session.getId();
    if (request.getParameter("alone") == null) {
      await(steps.kept);
    }
    switch (request.getParameter("do")) {
      case "end" -> session.invalidate();
      case "anew" -> {
        session.invalidate();
        request.getSession().setAttribute("changed", "yes");
      }
      case "rename" -> request.changeSessionId();
      case "redirect" -> {
        session.setAttribute("changed", "yes");
        response.sendRedirect("/run-" + run);
      }
      case "fail" -> {
        session.setAttribute("changed", "yes");
        response.sendError(HttpServletResponse.SC_BAD_REQUEST);
      }
      default -> session.setAttribute("changed", "yes");
    }
    Browser other = new Browser();
    other.setCookie("JSESSIONID", id);
    try {
      other.open(cluster.server(2).url("/shop?do=count"));
    } catch (InterruptedException e) {
      throw new ServletException(e);
    }
  }

  private static void application(Context context) {
    context.addApplicationListener(Keeper.class.getName());
    SessionServer.servlet(context, "/work", ServletAction.servlet(UndoneRunTest::work));
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, UndoneRunTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private CompletableFuture<HttpResponse<String>> sent(String query) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        Browser copy = browser.copy();
        return copy.send(copy.get(cluster.server(1).url("/work?" + query)));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private void anotherRequestKeepsTheSession(String what) throws Exception {
    Steps steps = new Steps();
    STEPS.put(what, steps);
    browser.open(cluster.server(1).url("/shop?do=count"));
    String id = browser.cookie("JSESSIONID");
    CompletableFuture<HttpResponse<String>> first = sent("do=" + what + "&test=" + what);
    await(steps.entered);
    CompletableFuture<HttpResponse<String>> next = sent("do=keep&test=" + what);
    HttpResponse<String> firstAnswer = first.get(60, TimeUnit.SECONDS);
    assertEquals("run 2 2", firstAnswer.body());
    HttpResponse<String> nextAnswer = next.get(60, TimeUnit.SECONDS);
    assertEquals(id + " 2", nextAnswer.body());
    assertEquals("yes", browser.open(cluster.server(2).url("/shop?do=show&name=kept")));
    assertEquals("yes", browser.open(cluster.server(2).url("/shop?do=show&name=changed")));
  }

  @Test
  void theSessionIsValidAfterAnUndoneEnd() throws Exception {
    anotherRequestKeepsTheSession("end");
  }

  @Test
  void theSessionIsValidWhenItWasEndedAndAnotherBegun() throws Exception {
    anotherRequestKeepsTheSession("anew");
  }

  @Test
  void theSessionHasItsIdAfterAnUndoneChangeOfIt() throws Exception {
    anotherRequestKeepsTheSession("rename");
  }

  @Test
  void theSessionIsAsBeforeAnUndoneChange() throws Exception {
    anotherRequestKeepsTheSession("change");
  }

  @Test
  void aSessionThatAListenerHasMadeKeepsItsCookie() throws Exception {
    STEPS.put("make", new Steps());
    HttpResponse<String> answer = browser.send(browser.get(cluster.server(1).url("/work?make=yes&alone=yes&do=change&test=make")));
    assertEquals("run 2 1", answer.body());
    assertEquals("1", browser.open(cluster.server(2).url("/shop?do=show&name=count")), answer.headers().toString());
  }

  /** The first run has ended its answer. */
  private void theNextRunRedirectsAfter(String what) throws Exception {
    STEPS.put(what, new Steps());
    browser.open(cluster.server(1).url("/shop?do=count"));
    HttpResponse<String> answer =
        browser.send(browser.get(cluster.server(1).url("/work?alone=yes&then=/run-&do=" + what + "&test=" + what)));
    assertEquals(HttpServletResponse.SC_FOUND, answer.statusCode(), answer.body());
    assertTrue(answer.headers().firstValue("Location").orElse("").endsWith("/run-2"), answer.headers().toString());
    assertEquals("yes", browser.open(cluster.server(2).url("/shop?do=show&name=changed")));
  }

  @Test
  void aRunCanRedirectAfterAnUndoneRedirect() throws Exception {
    theNextRunRedirectsAfter("redirect");
  }

  @Test
  void aRunCanRedirectAfterAnUndoneError() throws Exception {
    theNextRunRedirectsAfter("fail");
  }
}
