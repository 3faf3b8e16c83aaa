package org.understudy.container.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** Connections whose request bodies come a byte at a time, or not at all, against a Tomcat with 64 threads. */
class SlowBodyHttpTest {
  private static final int MORE_THAN_THREADS = 100;
  @TempDir Path directory;

  private static final class Client implements AutoCloseable {
    private final Socket socket;

    Client(ServiceCluster site, String requestLine, String... headers) throws IOException {
      socket = new Socket("127.0.0.1", site.port(1));
      socket.setSoTimeout(30_000);
      send(requestLine + " HTTP/1.1\r\nHost: x\r\n" + String.join("\r\n", headers) + "\r\n\r\n");
    }

    void send(String text) throws IOException {
      OutputStream out = socket.getOutputStream();
      out.write(text.getBytes(StandardCharsets.UTF_8));
      out.flush();
    }

    /** Until the server ends the connection, which it does after its answer to a request that it has refused. */
    String all() throws IOException {
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    String answer() throws IOException {
      String end = "</soap:Envelope>";
      StringBuilder text = new StringBuilder();
      byte[] bytes = new byte[8_192];
      while (text.indexOf(end, text.length() - bytes.length - end.length()) < 0) {
        int read = socket.getInputStream().read(bytes);
        assertTrue(read >= 0, text.toString());
        text.append(new String(bytes, 0, read, StandardCharsets.ISO_8859_1));
      }
      return text.toString();
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }

  private static void servesOthers(ServiceCluster site) {
    Answer answer = site.call(1, envelope("", notebook("append", "x")));
    assertEquals(200, answer.status(), answer.text());
    assertEquals(200, site.health(1, "ready").statusCode());
  }

  @Test
  void slowBodiesOccupyNoThread() throws Exception {
    // The honest client has the same address here.
    Map<String, String> much = Map.of("understudy.held.bytes", "1073741824");
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, much)) {
      String service = "/app" + site.service();
      String[] lines = {
        "POST " + service, "PUT " + service, "POST /app/replication", "POST /app/notification", "GET /app/health/live",
        "POST /app/nothing", "DELETE /app/services/nothing", "GET " + service + "?wsdl"
      };
      List<Client> slow = new ArrayList<>();
      try {
        for (String line : lines) {
          for (String header : new String[] {"Content-Length: 1000", "Content-Length: 2000000000", "Transfer-Encoding: chunked"}) {
            for (int i = 0; i < MORE_THAN_THREADS / 4; i++) {
              Client client = new Client(site, line, "Content-Type: text/xml", header);
              client.send(header.endsWith("chunked") ? "3e8\r\n<" : "<");
              slow.add(client);
            }
          }
          servesOthers(site);
        }
      } finally {
        for (Client client : slow) {
          client.close();
        }
      }
      servesOthers(site);
    }
  }

  @Test
  void aBodyInPiecesIsServed() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 1, Map.of())) {
      String begin = "POST /app" + site.service();
      String small = envelope("", notebook("append", "y"));
      try (Client plain = new Client(site, begin, "Content-Type: text/xml", "Content-Length: " + small.length());
          Client chunked = new Client(site, begin, "Content-Type: text/xml", "Transfer-Encoding: chunked")) {
        plain.send(small);
        chunked.send(Integer.toHexString(small.length()) + "\r\n" + small + "\r\n0\r\n\r\n");
        // The same connections go on, with small requests and large ones in pieces.
        for (int round = 0; round < 6; round++) {
          assertEquals("HTTP/1.1 200", plain.answer().substring(0, 12), "plain " + round);
          assertEquals("HTTP/1.1 200", chunked.answer().substring(0, 12), "chunked " + round);
          String text = round % 2 == 0 ? small : envelope("", notebook("append", "x".repeat(5_000 * round)));
          plain.send(begin + " HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: " + text.length() + "\r\n\r\n");
          chunked.send(begin + " HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nTransfer-Encoding: chunked\r\n\r\n");
          for (int i = 0; i < text.length(); i += 977) {
            String piece = text.substring(i, Math.min(text.length(), i + 977));
            plain.send(piece);
            chunked.send(Integer.toHexString(piece.length()) + "\r\n" + piece + "\r\n");
          }
          chunked.send("0\r\n\r\n");
        }
      }
      Condition.await(() -> held(site) == 0);
    }
  }

  @Test
  void aClientThatLeavesBehindItsChunkedBodyHoldsNothing() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 1, Map.of())) {
      CompletableFuture<Answer> slow = site.callLater(1, envelope("", notebook("appendSlowly", "y")));
      NotebookService.BEGUN.acquireUninterruptibly();
      String left = envelope("", notebook("append", "z"));
      for (int i = 0; i < 20; i++) {
        try (Client client =
            new Client(site, "POST /app" + site.service(), "Content-Type: text/xml", "Transfer-Encoding: chunked")) {
          client.send(Integer.toHexString(left.length()) + "\r\n" + left + "\r\n0\r\n\r\n");
        }
      }
      CompletableFuture<Answer> next = site.callLater(1, envelope("", notebook("append", "x")));
      Condition.await("two requests in progress", () -> meter(site, "load") >= 2);
      NotebookService.GO.release();
      assertEquals(200, slow.join().status(), slow.join().text());
      assertEquals(200, next.join().status(), next.join().text());
      Condition.await("no request to hold memory", () -> held(site) == 0);
      servesOthers(site);
    }
  }

  private static long held(ServiceCluster site) {
    return meter(site, "heldBytes");
  }

  private static long meter(ServiceCluster site, String name) {
    return Long.parseLong(site.health(1, "live").body().replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1"));
  }

  @Test
  void aBodyHasADeadline() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.request.body.ms", "200"))) {
      try (Client slow = new Client(site, "POST /app" + site.service(), "Content-Type: text/xml", "Content-Length: 1000")) {
        slow.send("<");
        String answer = slow.all();
        assertTrue(answer.startsWith("HTTP/1.1 500"), answer);
        assertTrue(answer.contains("<ur:Code>BadRequest</ur:Code>"), answer);
        assertTrue(answer.contains("did not arrive within 200 ms"), answer);
      }
      assertEquals(0, held(site));
    }
  }

  @Test
  void oneClientHoldsNoMoreThanItsShare() throws Exception {
    Map<String, String> small = Map.of("understudy.held.bytes", "4194304");
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, small)) {
      List<Client> slow = new ArrayList<>();
      try {
        // A share is a fourth; each of these is counted with 100,000 bytes and eight for each byte that may arrive.
        int most = 1_048_576 / (100_000 + 800);
        for (int i = 0; i < most; i++) {
          Client client = new Client(site, "POST /app" + site.service(), "Content-Type: text/xml", "Content-Length: 100");
          client.send("<");
          slow.add(client);
        }
        Condition.await(() -> held(site) == most * (100_000L + 800));
        String refused;
        try (Client tooMany = new Client(site, "POST /app" + site.service(), "Content-Type: text/xml", "Content-Length: 100")) {
          tooMany.send("<");
          refused = tooMany.all();
        }
        assertTrue(refused.contains("<ur:Code>Overloaded</ur:Code>"), refused);
      } finally {
        for (Client client : slow) {
          client.close();
        }
      }
      Condition.await(() -> held(site) == 0);
      servesOthers(site);
    }
  }

  @Test
  void theResponseToAReadIsHeldInItsClientsShare() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, Map.of("understudy.held.bytes", "1048576"))) {
      String read = envelope("", notebook("text", null));
      // More than a share of 256 KB, which does not apply to the only request of a client.
      assertEquals(200, site.call(1, envelope("", notebook("append", "x".repeat(300_000)))).status());
      assertEquals(200, site.call(1, read).status());
      // A client may have its answer before the request has ended.
      Condition.await("the first requests to have ended", () -> held(site) == 0);
      try (Client other = new Client(site, "POST /app" + site.service(), "Content-Type: text/xml", "Content-Length: 100")) {
        other.send("<");
        Condition.await("another request to be in progress", () -> held(site) > 0);
        Answer refused = site.call(1, read);
        assertEquals("Overloaded", refused.between("<ur:Code>", "</ur:Code>"), refused.text());
        assertTrue(refused.text().contains("This client has reached its share"), refused.text());
        Answer update = site.call(1, envelope("", notebook("append", "y")));
        assertEquals(200, update.status(), update.text());
      }
      Condition.await("no other request to hold memory", () -> held(site) == 0);
      Answer whole = site.call(1, read);
      assertEquals(200, whole.status(), whole.text());
      assertEquals(300_001, whole.between("<return>", "</return>").length());
    }
  }
}
