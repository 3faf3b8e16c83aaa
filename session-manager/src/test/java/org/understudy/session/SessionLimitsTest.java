package org.understudy.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What one client may use of the group's limits. */
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
