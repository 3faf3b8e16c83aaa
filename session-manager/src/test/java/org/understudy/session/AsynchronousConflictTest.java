package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** Dispatches of asynchronous requests at one Tomcat, whose session another Tomcat changes before they have ended. */
class AsynchronousConflictTest {
  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  /** The counts of each test, by its name. */
  private static final Map<String, Counts> COUNTS = new ConcurrentHashMap<>();

  private final Browser browser = new Browser();

  private static final class Counts {
    final AtomicInteger begun = new AtomicInteger();
    final AtomicInteger dispatched = new AtomicInteger();
    final AtomicInteger open = new AtomicInteger();
    final AtomicInteger ended = new AtomicInteger();
  }

  private static Counts counts(String test) {
    return COUNTS.computeIfAbsent(String.valueOf(test), name -> new Counts());
  }

  /** Counts the requests that have begun and not ended. */
  public static final class Opener implements ServletRequestListener {
    @Override
    public void requestInitialized(ServletRequestEvent event) {
      counts(event.getServletRequest().getParameter("test")).open.incrementAndGet();
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      Counts counts = counts(request.getParameter("test"));
      counts.open.decrementAndGet();
      if (request.getParameter("end") != null) {
        addAtTheEnd(request.getSession(), request.getParameter("end"), counts.ended.incrementAndGet() <= 2);
      }
    }
  }

  @SuppressWarnings("unchecked")
  private static void addAtTheEnd(HttpSession session, String item, boolean conflict) {
    List<String> items = (List<String>) session.getAttribute("items");
    if (conflict) {
      try {
        addElsewhere(session);
      } catch (IOException | ServletException e) {
        throw new IllegalStateException(e);
      }
    }
    items.add(item);
  }

  private static void addElsewhere(HttpSession session) throws IOException, ServletException {
    Browser other = new Browser();
    other.setCookie("JSESSIONID", session.getId());
    try {
      other.open(cluster.server(2).url("/shop?do=add&item=other"));
    } catch (InterruptedException e) {
      throw new ServletException(e);
    }
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException, ServletException {
    Counts counts = counts(request.getParameter("test"));
    if (request.getDispatcherType() == DispatcherType.ASYNC) {
      int run = counts.dispatched.incrementAndGet();
      dispatched(request, response, request.getParameter("always") != null || run == 1);
      return;
    }
    counts.begun.incrementAndGet();
    if (request.getAttribute("result") != null) {
      throw new ServletException("An attribute of the run before.");
    }
    if (request.getParameter("first") != null) {
      request.getSession().setAttribute("first", request.getParameter("first"));
    }
    String word = request.getParameter("word");
    AsyncContext context = request.startAsync();
    if (word == null) {
      context.start(context::complete);
      return;
    }
    // A framework gives the result to the dispatch once, as Spring does.
    AtomicInteger taken = new AtomicInteger();
    context.start(() -> {
      request.setAttribute("word", word);
      request.setAttribute("result", taken);
      context.dispatch("/work");
    });
  }

  @SuppressWarnings("unchecked")
  private static void dispatched(HttpServletRequest request, HttpServletResponse response, boolean conflict)
      throws IOException, ServletException {
    if (((AtomicInteger) request.getAttribute("result")).getAndIncrement() > 0) {
      throw new ServletException("The result has been taken.");
    }
    HttpSession session = request.getSession();
    List<String> items = (List<String>) session.getAttribute("items");
    if (conflict) {
      addElsewhere(session);
    }
    items.add((String) request.getAttribute("word"));
    response.setContentType("text/plain;charset=UTF-8");
    response.addHeader("Runs", "x");
    response.getWriter().print(items + "x".repeat(request.getParameter("long") == null ? 0 : 2_000_000));
    response.getWriter().flush();
  }

  private static void application(Context context) {
    context.addApplicationListener(Opener.class.getName());
    SessionServer.servlet(context, "/work", ServletAction.servlet(AsynchronousConflictTest::work));
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(2, directory, AsynchronousConflictTest::application);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String shop(Browser browser, int replica, String query) throws Exception {
    return browser.open(cluster.server(replica).url("/shop?" + query));
  }

  private String url(String query) {
    return cluster.server(1).url("/work?" + query);
  }

  /** The request was executed as if it had arrived after the other one. */
  private void ranAgain(HttpRequest request, String test) throws Exception {
    HttpResponse<String> answer = browser.send(request);
    assertEquals("200 [first, other, mine]", answer.statusCode() + " " + answer.body());
    assertEquals(List.of("x"), answer.headers().allValues("Runs"));
    assertEquals("[first, other, mine]", shop(browser, 2, "do=show&name=items"));
    assertEquals(2, counts(test).begun.get());
    assertEquals(2, counts(test).dispatched.get());
    assertEquals(0, counts(test).open.get());
  }

  @Test
  void aRequestThatHasChangedNothingBeforeRunsAgain() throws Exception {
    shop(browser, 1, "do=add&item=first");
    ranAgain(browser.get(url("test=get&word=mine")), "get");
  }

  @Test
  void aRequestWithABodyRunsAgainAndIsExecutedOnce() throws Exception {
    shop(browser, 1, "do=add&item=first");
    Browser repeating = browser.copy();
    String url = url("test=post");
    ranAgain(browser.post(url, "word=mine"), "post");
    HttpResponse<String> repeated = repeating.send(repeating.post(url, "word=mine"));
    assertEquals(409, repeated.statusCode(), repeated.body());
    assertEquals("[first, other, mine]", shop(browser, 2, "do=show&name=items"));
  }

  @Test
  void aRequestThatNeverSucceedsIsNotExecuted() throws Exception {
    shop(browser, 1, "do=add&item=first");
    HttpResponse<String> answer = browser.send(browser.get(url("test=always&always=yes&word=mine")));
    assertEquals(503, answer.statusCode());
    assertEquals("NotReady", answer.headers().firstValue("Understudy-Failure").orElse(""));
    int runs = counts("always").dispatched.get();
    ArrayList<String> expected = new ArrayList<>(List.of("first"));
    for (int i = 0; i < runs; i++) {
      expected.add("other");
    }
    assertEquals(expected.toString(), shop(browser, 2, "do=show&name=items"));
  }

  /** Its changes before the dispatch are stable, so it can neither run again nor be undone. */
  @Test
  void aRequestThatHasChangedTheSessionBeforeIsReportedAsExecuted() throws Exception {
    shop(browser, 1, "do=add&item=first");
    Browser repeating = browser.copy();
    String url = url("test=changed&first=yes&word=mine");
    HttpResponse<String> answer = browser.send(browser.get(url));
    assertEquals(409, answer.statusCode());
    assertEquals("ReplyDiscarded", answer.headers().firstValue("Understudy-Failure").orElse(""));
    assertTrue(answer.body().contains("what it has changed after it was dispatched is lost"), answer.body());
    assertEquals(409, repeating.send(repeating.get(url)).statusCode());
    assertEquals("yes", shop(browser, 2, "do=show&name=first"));
    assertEquals("[first, other]", shop(browser, 2, "do=show&name=items"));
    assertEquals(1, counts("changed").begun.get());
  }

  @Test
  void whatAListenerHasChangedAtTheEndIsNotLost() throws Exception {
    shop(browser, 1, "do=add&item=first");
    assertEquals(200, browser.send(browser.get(url("test=end&end=last"))).statusCode());
    Condition.await("three ends", () -> counts("end").ended.get() == 3);
    // Waits for the session's lock, which the end of the request has until its update is stable.
    assertEquals("[first, other, other, last]", shop(browser, 1, "do=show&name=items"));
    assertEquals("[first, other, other, last]", shop(browser, 2, "do=show&name=items"));
    assertEquals(0, counts("end").open.get());
  }

  @Test
  void anAnswerThatHasBegunIsCutOff() throws Exception {
    shop(browser, 1, "do=add&item=first");
    HttpRequest request = browser.get(url("test=long&long=yes&word=mine"));
    assertThrows(IOException.class, () -> browser.send(request));
    assertEquals("[first, other]", shop(browser, 2, "do=show&name=items"));
  }
}
