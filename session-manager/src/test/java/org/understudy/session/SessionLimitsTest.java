package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;

/** What one client and all clients may use of the group's limits. */
class SessionLimitsTest {
  private static final int SESSIONS = 10;

  @TempDir
  private Path directory;

  @Test
  void aClientWithoutCookiesLeavesSessionsToOthers() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(
            2, directory, context -> SessionServer.servlet(context, "/shop", new ShopServlet()),
            manager -> manager.setMaxActiveSessions(SESSIONS))) {
      Browser last = null;
      for (int i = 0; i < SESSIONS / 2; i++) {
        last = new Browser();
        assertEquals("1", last.open(cluster.server(1 + i % 2).url("/shop?do=count")));
      }
      Browser next = new Browser();
      HttpResponse<String> refused = next.send(next.get(cluster.server(1).url("/shop?do=count")));
      assertEquals(503, refused.statusCode());
      assertEquals("Overloaded", refused.headers().firstValue("Understudy-Failure").orElse(""));
      assertEquals("2", last.open(cluster.server(2).url("/shop?do=count")));
      String other = countAt(cluster.server(1).url("/shop?do=count"), "127.0.0.2");
      assertTrue(other.startsWith("HTTP/1.1 200 "), other);
    }
  }

  /** Uses a session as the parameter says. What the web application does with an exception does not matter. */
  private static void work(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String what = request.getParameter("do");
    if ("dispatch".equals(what) && request.getDispatcherType() != DispatcherType.ASYNC) {
      request.startAsync().dispatch();
      return;
    }
    if ("replace".equals(what)) {
      request.getSession().invalidate();
    }
    try {
      response.getWriter().print("session " + request.getSession().isNew());
    } catch (IllegalStateException e) {
      response.getWriter().print("without a session");
    }
  }

  private static HttpResponse<String> send(Browser browser, SessionServer server, String what) throws Exception {
    return browser.send(browser.get(server.url("/work?do=" + what)));
  }

  /** The application does not get a session, and whatever it answers instead is not sent. */
  private static void assertRefused(HttpResponse<String> answer) {
    assertEquals(503, answer.statusCode(), answer.body());
    assertEquals("1", answer.headers().firstValue("Retry-After").orElse(""));
    assertEquals("Overloaded", answer.headers().firstValue("Understudy-Failure").orElse(""));
    assertTrue(answer.body().contains("maxActiveSessions"), answer.body());
    assertEquals(List.of(), answer.headers().allValues("Set-Cookie"));
  }

  @Test
  void aFullGroupRefusesNewSessionsAndServesThoseThatExist() throws Exception {
    try (SessionCluster cluster =
        new SessionCluster(
            2, directory, context -> SessionServer.servlet(context, "/work", ServletAction.servlet(SessionLimitsTest::work)),
            manager -> {
              manager.setMaxActiveSessions(2);
              manager.setClientShare(100);
            })) {
      SessionServer server = cluster.server(1);
      Browser first = new Browser();
      assertEquals("session true", send(first, server, "make").body());
      assertEquals("session true", send(new Browser(), cluster.server(2), "make").body());
      Condition.await("both sessions at replica 1", () -> server.manager().getActiveSessions() == 2);
      assertRefused(send(new Browser(), server, "make"));
      assertRefused(send(new Browser(), server, "dispatch"));
      assertEquals(2, server.manager().getRejectedSessions());
      assertEquals(2, server.manager().getActiveSessions());
      assertEquals("session false", send(first, server, "make").body());
      assertEquals("session true", send(first, server, "replace").body());
      assertEquals("session false", send(first, cluster.server(2), "make").body());
      assertEquals(2, server.manager().getActiveSessions());
    }
  }

  /** Sends a request from another address of this machine. */
  private static String countAt(String url, String from) throws IOException {
    URI server = URI.create(url);
    try (Socket socket = new Socket(InetAddress.getByName(server.getHost()), server.getPort(), InetAddress.getByName(from), 0)) {
      String head = "GET " + server.getPath() + "?" + server.getQuery() + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
    }
  }
}
