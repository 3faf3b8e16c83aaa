package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.ServletRequestEvent;
import jakarta.servlet.ServletRequestListener;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.util.SessionIdGeneratorBase;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** A request that reaches a replica before its session, as one that joins the group. */
class EarlyRequestTest {
  private static final String ID = "0123456789ABCDEF0123456789ABCDEF";

  private static final AtomicInteger BEGUN = new AtomicInteger();
  private static final AtomicInteger ENDED = new AtomicInteger();

  private static SessionCluster cluster;

  @TempDir
  private Path directory;

  /** The id of the session is known before the session exists. */
  private static final class KnownId extends SessionIdGeneratorBase {
    @Override
    public String generateSessionId(String route) {
      return ID;
    }
  }

  /** Keeps the session that it finds when a request begins, as Weld does. Then the session is created at the other replica. */
  public static final class Keeper implements ServletRequestListener {
    @Override
    public void requestInitialized(ServletRequestEvent event) {
      HttpServletRequest request = (HttpServletRequest) event.getServletRequest();
      if (request.getParameter("early") == null) {
        return;
      }
      HttpSession found = request.getSession(false);
      request.setAttribute("kept", found);
      if (BEGUN.incrementAndGet() > 1) {
        return;
      }
      assertEquals(null, found);
      try {
        new Browser().open(cluster.server(1).url("/shop?do=count"));
      } catch (IOException | InterruptedException e) {
        throw new IllegalStateException(e);
      }
      Condition.await("the session at replica 2", () -> cluster.server(2).manager().isKnown(ID));
    }

    @Override
    public void requestDestroyed(ServletRequestEvent event) {
      if (event.getServletRequest().getParameter("early") != null) {
        ENDED.incrementAndGet();
      }
    }
  }

  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException {
    HttpSession kept = (HttpSession) request.getAttribute("kept");
    kept.setAttribute("count", (Integer) kept.getAttribute("count") + 10);
    response.getWriter().print(kept.getAttribute("count"));
  }

  private static void application(Context context) {
    context.addApplicationListener(Keeper.class.getName());
    SessionServer.servlet(context, "/work", ServletAction.servlet(EarlyRequestTest::work));
    SessionServer.servlet(context, "/shop", new ShopServlet());
  }

  @Test
  void listenersSeeTheSession() throws Exception {
    try (SessionCluster two =
        new SessionCluster(
            2, directory, EarlyRequestTest::application, manager -> manager.setSessionIdGenerator(new KnownId()))) {
      cluster = two;
      Browser browser = new Browser();
      browser.setCookie("JSESSIONID", ID);
      assertEquals("11", browser.open(two.server(2).url("/work?early=yes")));
      assertEquals("11", browser.open(two.server(1).url("/shop?do=show&name=count")));
      assertEquals(2, BEGUN.get());
      assertEquals(2, ENDED.get());
    }
  }
}
