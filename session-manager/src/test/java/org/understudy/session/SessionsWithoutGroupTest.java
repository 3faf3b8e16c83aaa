package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.http.HttpSession;
import java.nio.file.Path;
import java.util.Collections;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.LogRecorder;
import org.understudy.test.network.FreePorts;

/** Sessions of a web application that is in no group: it is not marked as distributable, or it stops. */
class SessionsWithoutGroupTest {
  private static final AtomicReference<HttpSession> HELD = new AtomicReference<>();

  @TempDir
  private Path directory;

  private static void application(Context context) {
    SessionServer.servlet(context, "/shop", new ShopServlet());
    SessionServer.servlet(context, "/hold", ServletAction.servlet((request, response) -> HELD.set(request.getSession())));
  }

  @Test
  void anApplicationThatIsNotDistributableKeepsItsSessions() throws Exception {
    String peers = "1=127.0.0.1:" + FreePorts.next() + ",2=127.0.0.1:" + FreePorts.next();
    Browser browser = new Browser();
    try (LogRecorder log = LogRecorder.of(ReplicatedSessionManager.class);
        SessionServer one = unmarked(1, peers);
        SessionServer two = unmarked(2, peers)) {
      one.start();
      two.start();
      assertTrue(log.has("not marked <distributable/>"), () -> log.lines().toString());
      assertNull(one.replica());
      assertEquals("1", browser.open(one.url("/shop?do=count")));
      assertEquals("2", browser.open(one.url("/shop?do=count")));
      assertNull(browser.cookie("understudy.handle"));
      String id = browser.cookie("JSESSIONID");
      assertEquals("1", browser.copy().open(two.url("/shop?do=count")));
      assertEquals(id, browser.cookie("JSESSIONID"));
      assertEquals("none", browser.open(two.url("/shop?do=show&name=count")));
      assertEquals(1, one.manager().getActiveSessions());
      one.manager().processExpires();
      browser.open(one.url("/shop?do=id"));
      assertNotEquals(id, browser.cookie("JSESSIONID"));
      assertEquals("3", browser.open(one.url("/shop?do=count")));
    }
  }

  private SessionServer unmarked(int replica, String peers) {
    return new SessionServer(
        replica, peers, directory, context -> {
          application(context);
          context.setDistributable(false);
        }, manager -> {});
  }

  /** A thread of the web application can have it longer. */
  @Test
  void aSessionOfAStoppedApplicationHasNoAttributes() throws Exception {
    try (SessionCluster cluster = new SessionCluster(2, directory, SessionsWithoutGroupTest::application)) {
      Browser browser = new Browser();
      browser.open(cluster.server(1).url("/shop?do=count"));
      browser.open(cluster.server(1).url("/hold"));
      HttpSession held = HELD.get();
      assertEquals(1, held.getAttribute("count"));
      cluster.server(1).close();
      assertNull(held.getAttribute("count"));
      assertEquals(0, Collections.list(held.getAttributeNames()).size());
    }
  }
}
