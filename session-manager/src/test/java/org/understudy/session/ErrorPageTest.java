package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.catalina.Context;
import org.apache.tomcat.util.descriptor.web.ErrorPage;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;

/** Error pages of {@code web.xml}, at two Tomcats, also for requests that a RewriteValve has rewritten. */
class ErrorPageTest {
  private static final List<String> PAGES = new CopyOnWriteArrayList<>();

  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    switch (String.valueOf(request.getParameter("do"))) {
      case "make" -> request.getSession();
      case "teapot" -> {
        request.getSession().setAttribute("before", request.getParameter("value"));
        response.getWriter().print("dropped");
        response.sendError(418, "a teapot");
      }
      case "throw" -> throw new ServletException(new IllegalArgumentException("thrown"));
      case "bad page" -> response.sendError(HttpServletResponse.SC_PAYMENT_REQUIRED);
      case "gone" -> {
        request.getSession().setAttribute("before", request.getParameter("value"));
        response.sendError(HttpServletResponse.SC_GONE, "gone for good");
      }
      default -> throw new IllegalStateException("no page is for this");
    }
  }

  private static void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    Object status = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
    PAGES.add(status + " " + request.getParameter("value"));
    request.getSession().setAttribute("page", request.getParameter("value"));
    response.setContentType("text/plain;charset=UTF-8");
    response.getWriter().print("page " + status + " " + request.getAttribute(RequestDispatcher.ERROR_MESSAGE));
  }

  private static void application(Context context) {
    SessionServer.servlet(context, "/work", ServletAction.servlet(ErrorPageTest::work));
    SessionServer.servlet(context, "/page", ServletAction.servlet(ErrorPageTest::page));
    SessionServer.servlet(context, "/shop", new ShopServlet());
    ErrorPage teapot = new ErrorPage();
    teapot.setErrorCode(418);
    teapot.setLocation("/page");
    context.addErrorPage(teapot);
    ErrorPage exception = new ErrorPage();
    exception.setExceptionType(IllegalArgumentException.class.getName());
    exception.setLocation("/page");
    context.addErrorPage(exception);
    ErrorPage bad = new ErrorPage();
    bad.setErrorCode(HttpServletResponse.SC_PAYMENT_REQUIRED);
    bad.setLocation("/work?do=none");
    context.addErrorPage(bad);
    RewriteRules.add(context, "RewriteRule ^/rewritten$ /work");
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, ErrorPageTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void clear() {
    PAGES.clear();
  }

  private HttpResponse<String> send(int replica, String path) throws Exception {
    return browser.send(browser.get(cluster.server(replica).url(path)));
  }

  private String shown(int replica, String name) throws Exception {
    return browser.open(cluster.server(replica).url("/shop?do=show&name=" + name));
  }

  @Test
  void whatAPageChangesBelongsToTheRequest() throws Exception {
    for (String path : List.of("/work", "/rewritten")) {
      HttpResponse<String> answer = send(1, path + "?do=teapot&value=" + path);
      assertEquals(418, answer.statusCode());
      assertEquals("page 418 a teapot", answer.body());
      assertEquals(path, shown(2, "before"));
      assertEquals(path, shown(2, "page"));
    }
  }

  @Test
  void anExceptionHasItsPage() throws Exception {
    for (String path : List.of("/work", "/rewritten")) {
      HttpResponse<String> answer = send(2, path + "?do=throw&value=" + path);
      assertEquals(500, answer.statusCode());
      assertEquals("page 500 java.lang.IllegalArgumentException: thrown", answer.body());
      assertEquals(path, shown(1, "page"));
    }
  }

  @Test
  void aDuplicateGetsThePage() throws Exception {
    send(1, "/work?do=make");
    for (String path : List.of("/work", "/rewritten")) {
      Browser copy = browser.copy();
      HttpResponse<String> first = send(1, path + "?do=teapot&value=" + path);
      HttpResponse<String> second = copy.send(copy.get(cluster.server(2).url(path + "?do=teapot&value=" + path)));
      assertEquals(418, second.statusCode());
      assertEquals(first.body(), second.body());
      assertEquals(first.headers().firstValue("Content-Type"), second.headers().firstValue("Content-Type"));
    }
    // A duplicate that arrives before the update may run in vain, and so may its page.
    assertEquals(List.of("418 /work", "418 /rewritten"), PAGES.stream().distinct().toList());
  }

  @Test
  void anErrorWithoutPageIsReportedWhenItIsStable() throws Exception {
    send(1, "/work?do=make");
    for (String path : List.of("/work", "/rewritten")) {
      Browser copy = browser.copy();
      HttpResponse<String> first = send(1, path + "?do=gone&value=" + path);
      HttpResponse<String> second = copy.send(copy.get(cluster.server(2).url(path + "?do=gone&value=" + path)));
      for (HttpResponse<String> answer : List.of(first, second)) {
        assertEquals(410, answer.statusCode());
        assertTrue(answer.body().contains("gone for good"), answer.body());
        assertTrue(answer.headers().allValues("Set-Cookie").stream().anyMatch(cookie -> cookie.startsWith(HandleCookie.NAME)), path);
      }
      assertEquals(path, shown(2, "before"));
    }
  }

  @Test
  void anExceptionWithoutPageIsReported() throws Exception {
    for (String path : List.of("/work", "/rewritten")) {
      HttpResponse<String> answer = send(1, path + "?do=none");
      assertEquals(500, answer.statusCode());
      assertTrue(answer.body().contains("no page is for this"), answer.body());
    }
  }

  @Test
  void aPageThatFailsLeavesTheError() throws Exception {
    for (String path : List.of("/work", "/rewritten")) {
      HttpResponse<String> answer = send(1, path + "?do=bad+page");
      assertEquals(402, answer.statusCode());
      assertNotNull(answer.body());
    }
  }
}
