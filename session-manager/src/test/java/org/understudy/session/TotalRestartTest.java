package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import jakarta.servlet.http.HttpSessionListener;
import java.io.IOException;
import java.io.Serializable;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.catalina.Context;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.replication.core.Role;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.NoticesSilence;

/** All Tomcats of a group are killed and start again. */
@NoticesSilence(because = "a group that restarts waits for missing replicas for a multiple of the suspicion time")
class TotalRestartTest {
  private static final AtomicInteger CREATED = new AtomicInteger();
  private static final AtomicInteger DESTROYED = new AtomicInteger();
  private static final AtomicInteger ACTIVATED = new AtomicInteger();

  @TempDir
  private Path directory;

  private final Browser browser = new Browser();
  /** The classes that attributes may have. */
  private String classes = "org.understudy.session.*";

  /** Counts sessions. */
  public static final class Sessions implements HttpSessionListener {
    @Override
    public void sessionCreated(HttpSessionEvent event) {
      CREATED.incrementAndGet();
    }

    @Override
    public void sessionDestroyed(HttpSessionEvent event) {
      DESTROYED.incrementAndGet();
    }
  }

  /** An attribute that notices when it is read at a replica that has not written it. */
  private static final class Noticed implements HttpSessionActivationListener, Serializable {
    private static final long serialVersionUID = 1L;

    @Override
    public void sessionDidActivate(HttpSessionEvent event) {
      ACTIVATED.incrementAndGet();
    }

    @Override
    public String toString() {
      return "noticed";
    }
  }

  /** Sets and shows an attribute of a class of the web application. */
  private static final class NoticedServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      if (request.getParameter("set") != null) {
        request.getSession().setAttribute("noticed", new Noticed());
      }
      response.getWriter().print(request.getSession().getAttribute("noticed"));
    }
  }

  @BeforeEach
  void countAnew() {
    List.of(CREATED, DESTROYED, ACTIVATED).forEach(count -> count.set(0));
  }

  private static void application(Context context) {
    context.setRealm(new OneUser());
    context.addApplicationListener(Sessions.class.getName());
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/noticed", new NoticedServlet());
  }

  private SessionCluster cluster(String strategy, String journal, String restart) throws Exception {
    return new SessionCluster(3, directory, TotalRestartTest::application, manager -> {
      manager.setStrategy(strategy);
      manager.setJournal(journal);
      manager.setRestart(restart);
      manager.setClasses(classes);
    });
  }

  /** A replica that serves sessions: with {@code group} any one, with {@code primary-backup} the primary. */
  private static SessionServer serving(SessionCluster cluster, String strategy) {
    int[] found = new int[1];
    Condition.await("a replica that serves sessions", () -> {
      found[0] = IntStream.rangeClosed(1, 3).filter(replica -> serves(cluster.server(replica), strategy)).findFirst().orElse(0);
      return found[0] != 0;
    });
    return cluster.server(found[0]);
  }

  private static boolean serves(SessionServer server, String strategy) {
    boolean asked = server.replica().role() == Role.PRIMARY || strategy.equals("group");
    return asked && server.replica().status().writable() && server.replica().view().members().size() == 3;
  }

  @ParameterizedTest
  @ValueSource(strings = {"group", "primary-backup"})
  void sessionsAndAnswersOutliveARestartOfAllTomcats(String strategy) throws Exception {
    try (SessionCluster cluster = cluster(strategy, "disk", "wait")) {
      SessionServer before = serving(cluster, strategy);
      browser.open(before.url("/shop?do=login"));
      browser.open(before.url("/noticed?set"));
      assertEquals("1", browser.open(before.url("/shop?do=count")));
      String id = browser.cookie("JSESSIONID");
      Browser unlucky = browser.copy();
      assertEquals("2", browser.copy().send(browser.post(before.url("/shop"), "do=count&lost")).body());
      Browser shortLived = new Browser();
      shortLived.open(before.url("/shop?do=short"));
      long accessed = System.currentTimeMillis();
      int activated = ACTIVATED.get();

      cluster.restartAll();
      SessionServer after = serving(cluster, strategy);
      // The user reloads, with the cookies of before: the stored answer comes, and nothing is executed.
      assertEquals("2", unlucky.send(unlucky.post(after.url("/shop"), "do=count&lost")).body());
      assertEquals("2", unlucky.open(after.url("/shop?do=show&name=count")));
      assertEquals(id + " alice true", unlucky.open(after.url("/shop?do=user")));
      assertEquals("noticed", unlucky.open(after.url("/noticed")));
      assertEquals(activated + 1, ACTIVATED.get(), "at the replica that reads it");
      assertEquals("3", unlucky.open(after.url("/shop?do=count")));
      // The handle of before the restart is older: another request with it is a new one.
      assertEquals("4", browser.send(browser.post(after.url("/shop"), "do=count&other")).body());
      assertEquals(2, CREATED.get(), "no session is created again");
      expires(cluster, after, shortLived, accessed);
    }
  }

  /** The time during which all replicas were down counts. */
  private static void expires(SessionCluster cluster, SessionServer after, Browser shortLived, long accessed) throws Exception {
    Condition.await("the end of the session's interval", () -> System.currentTimeMillis() - accessed > 1_250);
    assertEquals(2, after.manager().getActiveSessions());
    for (int replica = 1; replica <= 3; replica++) {
      cluster.server(replica).manager().processExpires();
    }
    Condition.await("one session at each replica", () -> IntStream.rangeClosed(1, 3)
        .allMatch(replica -> cluster.server(replica).manager().getActiveSessions() == 1));
    assertEquals("none", shortLived.open(after.url("/shop?do=show&name=count")));
    assertEquals(1, DESTROYED.get(), "once in the group");
  }

  @Test
  void anAttributeThatTheNewVersionCannotReadIsKept() throws Exception {
    String strategy = "group";
    try (SessionCluster cluster = cluster(strategy, "disk", "wait")) {
      browser.open(serving(cluster, strategy).url("/noticed?set"));
      classes = "";
      cluster.restartAll();
      try (LogRecorder log = LogRecorder.of(AttributeFailures.class)) {
        HttpResponse<String> refused = browser.send(browser.get(serving(cluster, strategy).url("/noticed")));
        assertEquals(500, refused.statusCode());
        String page = refused.body();
        assertTrue(page.contains("An attribute of the session cannot be read. The log of the server has the reason."), page);
        assertFalse(page.contains("noticed,") || page.contains("InvalidClassException"), page);
        assertTrue(
            log.has("noticed, which another replica wrote, cannot be read: java.io.InvalidClassException"),
            () -> log.lines().toString());
      }
      assertEquals("1", browser.open(serving(cluster, strategy).url("/shop?do=count")));
      classes = "org.understudy.session.*";
      cluster.restartAll();
      assertEquals("noticed", browser.open(serving(cluster, strategy).url("/noticed")));
    }
  }

  @Test
  void withoutAJournalTheGroupStartsWithoutSessionsIfAllAgree() throws Exception {
    String strategy = "group";
    try (SessionCluster cluster = cluster(strategy, "none", "empty")) {
      browser.open(serving(cluster, strategy).url("/shop?do=count"));
      cluster.restartAll();
      SessionServer after = serving(cluster, strategy);
      assertEquals("none", browser.open(after.url("/shop?do=show&name=count")));
      assertEquals("1", browser.open(after.url("/shop?do=count")));
    }
  }
}
