package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.catalina.Context;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
