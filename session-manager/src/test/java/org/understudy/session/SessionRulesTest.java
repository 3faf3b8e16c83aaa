package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSessionAttributeListener;
import jakarta.servlet.http.HttpSessionBindingEvent;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.util.ServerInfo;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.session.http.HandleCookie;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;

/** The rules of docs/sessions.md, at three Tomcats. */
class SessionRulesTest {
  private static final int MAX_ANSWER = 4_096;
  private static final List<String> EVENTS = new CopyOnWriteArrayList<>();

  @TempDir
  private static Path directory;

  private static SessionCluster cluster;

  private final Browser browser = new Browser();

  /** Records the events of sessions at all replicas. */
  public static final class Events implements HttpSessionListener, HttpSessionAttributeListener {
    @Override
    public void sessionCreated(HttpSessionEvent event) {
      EVENTS.add("created " + event.getSession().getId());
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      EVENTS.add("destroyed " + event.getSession().getId() + " " + event.getSession().getAttribute("count"));
    }

    @Override
    public void attributeAdded(HttpSessionBindingEvent event) {
      EVENTS.add("added " + event.getSession().getId() + " " + event.getName());
    }

    @Override
    public void attributeReplaced(HttpSessionBindingEvent event) {
      EVENTS.add("replaced " + event.getSession().getId() + " " + event.getName() + " " + event.getValue());
    }
  }

  /** Begins on the container's thread and ends on another one. */
  private static final class AsynchronousServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) {
      request.getSession().setAttribute("begun", "yes");
      AsyncContext context = request.startAsync();
      context.start(() -> end(context));
    }

    private static void end(AsyncContext context) {
      HttpServletRequest request = (HttpServletRequest) context.getRequest();
      try {
        request.getSession().setAttribute("late", "yes");
        context.getResponse().getOutputStream().write("changed".getBytes(StandardCharsets.US_ASCII));
      } catch (IllegalStateException e) {
        answer(context, "refused");
      } catch (IOException e) {
        answer(context, "failed");
      }
      context.complete();
    }

    private static void answer(AsyncContext context, String text) {
      try {
        context.getResponse().getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void application(Context context) {
    context.setRealm(new OneUser());
    context.addApplicationListener(Events.class.getName());
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/asynchronous", new AsynchronousServlet());
    SessionServer.servlet(context, "/forwarded", new HttpServlet() {
      private static final long serialVersionUID = 1L;

      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
        response.getWriter().print("dropped");
        request.getRequestDispatcher("/shop").forward(request, response);
        response.getWriter().print("dropped");
      }
    });
  }

  @BeforeAll
  static void start() throws Exception {
    cluster = new SessionCluster(3, directory, SessionRulesTest::application, manager -> manager.setMaxAnswer(MAX_ANSWER));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static String url(int replica, String query) {
    return cluster.server(replica).url("/shop?" + query);
  }

  private static List<String> events(String session) {
    return EVENTS.stream().filter(event -> event.contains(session)).map(event -> event.replace(" " + session, "")).toList();
  }

  @Test
  void anAttributeChangedInPlaceIsReplicated() throws Exception {
    assertEquals("[a]", browser.open(url(1, "do=add&item=a")));
    assertEquals("[a, b]", browser.open(url(1, "do=add&item=b")));
    assertEquals("[a, b, c]", browser.open(url(2, "do=add&item=c")));
    assertEquals("[a, b, c]", browser.open(url(3, "do=show&name=items")));
    assertEquals("[a, b, c, d]", browser.open(url(1, "do=add&item=d")));
  }

  @Test
  void anAttributeThatCannotBeSerializedFailsTheRequest() throws Exception {
    browser.open(url(1, "do=count"));
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, "org.understudy.session")) {
      HttpResponse<String> direct = browser.send(browser.post(url(1, ""), "do=unserializable"));
      assertEquals(500, direct.statusCode());
      assertNamesNothing(direct.body());
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertTrue(log.has("attribute thread of the class java.lang.ThreadGroup"), () -> log.lines().toString());
    }
    HttpResponse<String> contained;
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, "org.understudy.session")) {
      assertEquals(500, browser.send(browser.post(url(2, "first"), "do=contained")).statusCode());
      contained = browser.send(browser.post(url(2, "second"), "do=contained"));
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
      assertTrue(log.has("attribute list") && log.has("java.lang.ThreadGroup"), () -> log.lines().toString());
    }
    assertEquals(500, contained.statusCode());
    assertNamesNothing(contained.body());
    assertEquals("ExecutionFailed", contained.headers().firstValue("Understudy-Failure").orElse(""));
    assertEquals("null", browser.open(url(3, "do=show&name=list")));
    assertEquals("null", browser.open(url(3, "do=show&name=before")));
    assertEquals("2", browser.open(url(2, "do=count")));
  }

  /** The browser gets neither names of attributes nor of classes. */
  private static void assertNamesNothing(String page) {
    assertTrue(page.contains("The session cannot be replicated. Nothing was changed. The log of the server has the reason."), page);
    assertFalse(page.contains("thread") || page.contains("attribute") || page.contains("java."), page);
  }

  /** Tomcat ends its own answer then, also when the servlet goes on. */
  @Test
  void aForwardEndsTheAnswer() throws Exception {
    assertEquals("1", browser.open(cluster.server(1).url("/forwarded?do=count")));
    assertEquals("2", browser.open(url(2, "do=count")));
  }

  @Test
  void aNewIdReplacesTheOldOneAtEveryReplica() throws Exception {
    browser.open(url(1, "do=count"));
    Browser old = browser.copy();
    String before = browser.cookie("JSESSIONID");
    String after = browser.open(url(2, "do=id"));
    assertEquals(after, browser.cookie("JSESSIONID"));
    assertNotEquals(before, after);
    assertEquals("1", browser.open(url(1, "do=show&name=count")));
    assertEquals("2", browser.open(url(3, "do=count")));
    for (int replica = 1; replica <= 3; replica++) {
      assertEquals("none", old.open(url(replica, "do=show&name=count")));
    }
  }

  @Test
  void aUserIsLoggedInAtEveryReplica() throws Exception {
    assertEquals("alice", browser.open(url(1, "do=login")));
    String id = browser.cookie("JSESSIONID");
    assertEquals(id + " alice true", browser.open(url(2, "do=user")));
    assertEquals(id + " alice true", browser.open(url(3, "do=user")));
    Browser other = new Browser();
    assertTrue(other.open(url(2, "do=user")).endsWith(" null false"));
  }

  @Test
  void listenersHearOfASessionOnceInTheGroup() throws Exception {
    browser.open(url(1, "do=count"));
    String id = browser.cookie("JSESSIONID");
    browser.open(url(2, "do=count"));
    assertEquals("ended", browser.open(url(3, "do=end")));
    for (int replica = 1; replica <= 3; replica++) {
      assertEquals("none", browser.open(url(replica, "do=show&name=count")));
    }
    assertEquals(List.of("created", "added count", "replaced count 1", "destroyed 2"), events(id));
  }

  @Test
  void anInactiveSessionExpiresOnceForTheGroup() throws Exception {
    browser.open(url(1, "do=count"));
    String id = browser.cookie("JSESSIONID");
    browser.open(url(2, "do=short"));
    Condition.await(
        "the end of the session",
        () -> {
          for (int replica = 1; replica <= 3; replica++) {
            cluster.server(replica).manager().processExpires();
          }
          return events(id).contains("destroyed 1");
        });
    for (int replica = 1; replica <= 3; replica++) {
      assertEquals("none", browser.open(url(replica, "do=show&name=count")));
    }
    assertEquals(List.of("created", "added count", "destroyed 1"), events(id));
  }

  @Test
  void aLongAnswerIsSentAndNotStored() throws Exception {
    browser.open(url(1, "do=count"));
    HttpRequest first = browser.get(url(1, "do=long&length=20000"));
    HttpRequest same = browser.get(url(2, "do=long&length=20000"));
    HttpResponse<String> answer = browser.copy().send(first);
    assertEquals(200, answer.statusCode());
    assertEquals(20_001, answer.body().length());
    // Replica 2 has the update: otherwise it would run the duplicate, begin an answer and cut it off.
    assertEquals("2", browser.copy().open(url(2, "do=show&name=count")));
    assertEquals(409, browser.copy().send(same).statusCode());
    // A browser that has seen the answer means the next one.
    HttpResponse<String> next = browser.send(browser.get(url(2, "do=long&length=20001")));
    assertTrue(next.body().startsWith("3x"), next.body().substring(0, 2));
    assertTrue(browser.open(url(3, "do=long&length=20001")).startsWith("4x"));
    assertEquals("4", browser.open(url(1, "do=show&name=count")));
  }

  /** The page reads nothing that the long answer's request has changed. */
  @Test
  void afterALongAnswerAndAPageTheSameRequestIsMeantAnew() throws Exception {
    browser.open(url(1, "do=put&name=user&value=alice"));
    browser.open(url(1, "do=count"));
    String form = "do=long&length=20000";
    assertTrue(browser.send(browser.post(url(1, ""), form)).body().startsWith("2x"));
    Condition.await("the update at replica 2", () -> shows("2", "count", browser.copy()));
    assertEquals("alice", browser.open(url(2, "do=show&name=user")));
    HttpResponse<String> anew = browser.send(browser.post(url(2, ""), form));
    assertEquals(200, anew.statusCode(), anew.body());
    assertTrue(anew.body().startsWith("3x"), anew.body().substring(0, 2));
  }

  @Test
  void anAsynchronousRequestChangesTheSessionBeforeTheServletReturns() throws Exception {
    assertEquals("refused", browser.open(cluster.server(1).url("/asynchronous")));
    Condition.await("the update", () -> shows("yes", "begun", browser));
    assertFalse(shows("yes", "late", browser));
  }

  private static boolean shows(String value, String name, Browser browser) {
    try {
      return value.equals(browser.open(url(2, "do=show&name=" + name)));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  @Test
  void aBodyBeyondTheBoundIsRefused() throws Exception {
    String body = "do=count&filling=" + "x".repeat(cluster.server(1).manager().getMaxBody());
    assertEquals(413, browser.send(browser.post(url(1, ""), body)).statusCode());
    assertEquals("1", browser.open(url(1, "do=count")));
  }

  @Test
  void theTestsRunInTheTomcatThatTheBuildNames() {
    String expected = System.getProperty("understudy.test.tomcat", "11.");
    assertTrue(ServerInfo.getServerNumber().startsWith(expected), ServerInfo.getServerNumber());
  }

  @Test
  void handlesOnlyGrow() throws Exception {
    browser.open(url(1, "do=put&name=user&value=alice"));
    browser.open(url(1, "do=count"));
    String form = "do=count&understudy.request=token-of-an-earlier-page";
    browser.send(browser.post(url(2, ""), form));
    browser.open(url(3, "do=count"));
    long before = position();
    assertEquals("alice", browser.open(url(2, "do=show&name=user")), "older than the last update");
    assertEquals(before, position(), browser.cookie(HandleCookie.NAME));
    assertEquals("2", browser.send(browser.post(url(3, ""), form)).body(), "the stored answer");
    assertEquals(before, position(), browser.cookie(HandleCookie.NAME));
    browser.open(url(1, "do=count"));
    assertTrue(position() > before, browser.cookie(HandleCookie.NAME));
  }

  private long position() {
    String handle = browser.cookie(HandleCookie.NAME);
    return Long.parseLong(handle.substring(handle.indexOf('.') + 1, handle.indexOf('-')));
  }
}
