package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.LogRecorder;

/** Sessions at three Tomcats: what one has set, another shows, and it survives the loss of one. */
class SessionReplicationTest {
  @TempDir
  private Path directory;

  /** Sets and shows attributes. */
  static final class AttributeServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      String set = request.getParameter("set");
      if (set != null) {
        request.getSession().setAttribute(set, request.getParameter("to"));
      }
      String show = request.getParameter("show");
      response.setContentType("text/plain;charset=UTF-8");
      response.getWriter().print(show == null || request.getSession(false) == null ? "-" : request.getSession().getAttribute(show));
    }
  }

  private static void application(Context context) {
    SessionServer.servlet(context, "/attribute", new AttributeServlet());
  }

  @Test
  void anyReplicaShowsWhatAnotherHasSetAndALostOneLosesNothing() throws Exception {
    try (SessionCluster cluster = new SessionCluster(3, directory, SessionReplicationTest::application)) {
      Browser browser = new Browser();
      browser.open(cluster.server(1).url("/attribute?set=a&to=one"));
      String id = browser.cookie("JSESSIONID");
      assertEquals("one", browser.open(cluster.server(2).url("/attribute?show=a")));
      browser.open(cluster.server(2).url("/attribute?set=a&to=two"));
      browser.open(cluster.server(3).url("/attribute?set=b&to=three"));
      assertEquals("two", browser.open(cluster.server(1).url("/attribute?show=a")));
      cluster.server(1).kill();
      assertEquals("two", browser.open(cluster.server(2).url("/attribute?show=a")));
      assertEquals("three", browser.open(cluster.server(2).url("/attribute?show=b")));
      browser.open(cluster.server(3).url("/attribute?set=a&to=four"));
      assertEquals("four", browser.open(cluster.server(2).url("/attribute?show=a")));
      assertEquals(id, browser.cookie("JSESSIONID"));
    }
  }

  @Test
  void withPrimaryBackupOnlyThePrimaryServesSessions() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(3, directory, SessionReplicationTest::application, manager -> manager.setStrategy("primary-backup"))) {
      Browser browser = new Browser();
      int primary = primaryOf(cluster, browser, 1, 2, 3);
      browser.open(cluster.server(primary).url("/attribute?set=a&to=one"));
      cluster.server(primary).kill();
      int first = primary % 3 + 1;
      int second = first % 3 + 1;
      cluster.awaitView(2, first, second);
      int next = primaryOf(cluster, browser, first, second);
      assertEquals("one", browser.open(cluster.server(next).url("/attribute?show=a")));
      HttpResponse<String> refused = browser.send(browser.get(cluster.server(next == first ? second : first).url("/attribute?show=a")));
      assertEquals(503, refused.statusCode());
      assertEquals("NotPrimary", refused.headers().firstValue("Understudy-Failure").orElse(""));
    }
  }

  /** The web application expects a session, and fails without one. */
  @Test
  void aVisitorWithoutASessionAtABackupIsNoErrorOfTheWebApplication() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(2, directory, SessionReplicationTest::application, manager -> manager.setStrategy("primary-backup"))) {
      int primary = primaryOf(cluster, new Browser(), 1, 2);
      try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.apache.catalina", "org.understudy")) {
        Browser visitor = new Browser();
        HttpResponse<String> refused = visitor.send(visitor.get(cluster.server(3 - primary).url("/attribute?set=a&to=one")));
        assertEquals(503, refused.statusCode());
        assertEquals("NotPrimary", refused.headers().firstValue("Understudy-Failure").orElse(""));
        assertEquals("1", refused.headers().firstValue("Retry-After").orElse(""));
        assertEquals(List.of(), log.lines());
      }
    }
  }

  /** The replica among these that serves a session. */
  private static int primaryOf(SessionCluster cluster, Browser browser, int... replicas) throws Exception {
    int primary = 0;
    for (int replica : replicas) {
      if (browser.send(browser.get(cluster.server(replica).url("/attribute?set=found&to=yes"))).statusCode() == 200) {
        primary = replica;
      }
    }
    assertNotEquals(0, primary);
    return primary;
  }
}
