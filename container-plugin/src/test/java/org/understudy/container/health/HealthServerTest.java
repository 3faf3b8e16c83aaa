package org.understudy.container.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.network.FreePorts;

/** Health on a port of its own, with connections that never send a whole request. */
class HealthServerTest {
  @TempDir Path directory;

  private static String ask(int port, String request) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", port)) {
      socket.setSoTimeout(30_000);
      socket.getOutputStream().write((request + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void slowClientsDoNotDelayOthers() throws Exception {
    int port = FreePorts.next();
    Map<String, String> address = Map.of("understudy.health.address", "127.0.0.1:" + port);
    List<Socket> slow = new ArrayList<>();
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, address)) {
      for (int i = 0; i < 200; i++) {
        Socket socket = new Socket("127.0.0.1", port);
        socket.getOutputStream().write('G');
        slow.add(socket);
      }
      for (String which : new String[] {"live", "ready", "writable", "primary"}) {
        String answer = ask(port, "GET /health/" + which);
        assertTrue(answer.startsWith("HTTP/1.1 200 OK"), answer);
        assertTrue(answer.contains("\"role\":\"PRIMARY\""), answer);
        assertTrue(answer.contains("\"ready\":true,\"writable\":true,\"serves\":[\"update\", \"session\","), answer);
        assertTrue(answer.contains("\"duties\":[\"deliver-notifications\","), answer);
        // Load balancers ask with the application's path as well.
        assertTrue(ask(port, "GET /app/health/" + which + "?x=y").startsWith("HTTP/1.1 200 OK"));
        assertTrue(ask(port, "HEAD /health/" + which).endsWith("\r\n\r\n"));
      }
      assertEquals(200, site.health(1, "live").statusCode(), "the application's own address answers too");
      assertTrue(ask(port, "GET /").startsWith("HTTP/1.1 404"));
      assertTrue(ask(port, "POST /health/live").startsWith("HTTP/1.1 404"));
    } finally {
      for (Socket socket : slow) {
        socket.close();
      }
    }
    // The port is free again.
    new ServerSocket(port).close();
  }
}
