package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.catalina.Context;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** A listener of requests that changes the session when a request ends, at three Tomcats. */
class RequestListenerTest {
  private static final List<String> CALLS = new CopyOnWriteArrayList<>();
  private static final String LAST = "last";

  /** The first run of a request has read its session, and may go on. */
  private static final CountDownLatch ENTERED = new CountDownLatch(1);

  private static final CountDownLatch RELEASED = new CountDownLatch(1);

  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** Keeps the session that it has found at the beginning, as containers of beans do. */
  public static final class Last implements ServletRequestListener {
    private static final String KEPT = "kept";

    @Override
    public void requestInitialized(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      request.setAttribute(KEPT, request.getSession(false));
      CALLS.add("begin " + request.getParameter("do"));
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      String what = request.getParameter("do");
      CALLS.add("end " + what);
      if ("throw".equals(what)) {
        throw new IllegalStateException("a listener throws");
      }
      HttpSession kept = (HttpSession) request.getAttribute(KEPT);
      HttpSession session = kept == null ? request.getSession(false) : kept;
      if (session != null && request.getParameter("value") != null) {
        session.setAttribute(LAST, request.getParameter("value"));
      }
    }
  }

  /** Uses the session only to show it and to make it. */
  private static final class PlainServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      switch (String.valueOf(request.getParameter("do"))) {
        case "make", "next" -> request.getSession();
        case "show" -> response.getWriter().print(request.getSession().getAttribute(LAST));
        case "late" -> {
          AsyncContext context = request.startAsync();
          context.start(context::complete);
        }
        case "fail" -> response.sendError(418);
        case "unstorable" -> request.getSession().setAttribute("list", new ArrayList<>(List.of(new Object())));
        case "redirect" -> response.sendRedirect("elsewhere");
        case "wait" -> {
          request.getSession();
          ENTERED.countDown();
          await(RELEASED);
        }
        default -> response.getWriter().print("done");
      }
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertTrue(latch.await(60, TimeUnit.SECONDS));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void application(Context context) {
    context.addApplicationListener(Last.class.getName());
    SessionServer.servlet(context, "/plain", new PlainServlet());
    SessionServer.servlet(context, "/page", new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        CALLS.add("page " + request.getParameter("do"));
        response.getWriter().print("a page");
      }
    });
    for (int code : new int[] {418, 500}) {
      ErrorPage page = new ErrorPage();
      page.setErrorCode(code);
      page.setLocation("/page");
      context.addErrorPage(page);
    }
    RewriteRules.add(context, "RewriteRule ^/rewritten$ /plain");
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(3, directory, RequestListenerTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void clear() {
    CALLS.clear();
  }

  private static String url(int replica, String query) {
    return cluster.server(replica).url("/plain?" + query);
  }

  @Test
  void whatTheListenerChangesBelongsToTheRequest() throws Exception {
    browser.open(url(1, "do=make"));
    browser.open(url(1, "do=set&value=a"));
    assertEquals(List.of("begin make", "end make", "begin set", "end set"), CALLS);
    assertEquals("a", browser.open(url(2, "do=show")));
    browser.open(url(2, "do=set&value=b"));
    assertEquals("b", browser.open(url(3, "do=show")));
  }

  private CompletableFuture<HttpResponse<String>> sent(int replica, String query) {
    return CompletableFuture.supplyAsync(() -> {
      try {
        return browser.send(browser.get(url(replica, query)));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
  }

  /** A request of the same session at the same replica has begun meanwhile, and keeps the session that its listener has found. */
  @Test
  void aRunThatIsRepeatedBeginsAndEndsAgain() throws Exception {
    browser.open(url(1, "do=make"));
    CALLS.clear();
    CompletableFuture<HttpResponse<String>> first = sent(1, "do=wait&value=a");
    await(ENTERED);
    CompletableFuture<HttpResponse<String>> next = sent(1, "do=next&value=c");
    Condition.await("the next request", () -> CALLS.contains("begin next"));
    browser.open(url(2, "do=set&value=b"));
    RELEASED.countDown();
    assertEquals(200, first.get(60, TimeUnit.SECONDS).statusCode());
    assertEquals(200, next.get(60, TimeUnit.SECONDS).statusCode());
    assertEquals(List.of("begin wait", "begin next", "begin set", "end set", "end wait"), CALLS.subList(0, 5));
    assertEquals(2, CALLS.stream().filter("end wait"::equals).count());
    assertEquals(CALLS.lastIndexOf("end wait") < CALLS.lastIndexOf("end next") ? "c" : "a", browser.open(url(3, "do=show")));
  }

  @Test
  void aListenerThatThrowsFailsTheRequest() throws Exception {
    browser.open(url(1, "do=make"));
    HttpResponse<String> first = browser.send(browser.get(url(1, "do=throw")));
    assertEquals(500, first.statusCode());
    assertEquals("a page", first.body());
    Condition.await("the end", () -> CALLS.size() == 7);
    assertEquals(List.of("begin make", "end make", "begin throw", "end throw", "begin throw", "page throw", "end throw"), CALLS);
  }

  @Test
  void anErrorPageIsWithinTheRequest() throws Exception {
    HttpResponse<String> answer = browser.send(browser.get(url(1, "do=fail")));
    assertEquals("a page", answer.body());
    Condition.await("the end", () -> CALLS.size() == 3);
    assertEquals(List.of("begin fail", "page fail", "end fail"), CALLS);
  }

  /** The run has ended, and its changes cannot be stored: a container of beans must be open for the page all the same. */
  @Test
  void anErrorPageAfterTheRunIsWithinTheRequest() throws Exception {
    HttpResponse<String> answer = browser.send(browser.get(url(1, "do=unstorable")));
    assertEquals("a page", answer.body());
    Condition.await("the end", () -> CALLS.size() == 5);
    assertEquals(List.of("begin unstorable", "end unstorable", "begin unstorable", "page unstorable", "end unstorable"), CALLS);
  }

  /** The listener of a duplicate cannot change the session, and throws. */
  @Test
  void aDuplicateGetsTheFirstAnswer() throws Exception {
    browser.open(url(1, "do=make"));
    Browser copy = browser.copy();
    CALLS.clear();
    for (Browser one : List.of(browser, copy)) {
      HttpResponse<String> answer = one.send(one.get(url(2, "do=redirect&value=a")));
      assertEquals(302, answer.statusCode(), answer.body());
    }
    assertEquals(List.of("begin redirect", "end redirect", "begin redirect", "end redirect"), CALLS);
    assertEquals("a", browser.open(url(3, "do=show")));
  }

  /** Tomcat's valve passes the request through all valves once more, within the first run. */
  @Test
  void aRewrittenRequestIsOneRun() throws Exception {
    browser.open(url(1, "do=make"));
    CALLS.clear();
    assertEquals("done", browser.open(cluster.server(1).url("/rewritten?do=set&value=a")));
    assertEquals(List.of("begin set", "begin set", "end set", "end set"), CALLS);
    assertEquals("a", browser.open(url(2, "do=show")));
  }

  @Test
  void anAsynchronousRequestEndsOnce() throws Exception {
    browser.open(url(1, "do=make"));
    browser.send(browser.get(url(1, "do=late")));
    Condition.await("the end", () -> CALLS.contains("end late"));
    browser.open(url(1, "do=show"));
    assertEquals(List.of("begin make", "end make", "begin late", "end late", "begin show", "end show"), CALLS);
  }
}
