package org.understudy.lab.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.session.RoundTrips.Cell;

/** What is measured and checked, at a server that keeps one session. */
class SessionClientTest {
  private static final Content ONE = new Content(1, 10);

  private final List<String> cookies = new CopyOnWriteArrayList<>();
  private HttpServer server;
  private volatile String value = "0";

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/sessions/value", exchange -> {
      cookies.add(String.valueOf(exchange.getRequestHeaders().getFirst("Cookie")));
      exchange.getResponseHeaders().add("Set-Cookie", "JSESSIONID=A1; Path=/sessions; HttpOnly");
      exchange.getResponseHeaders().add("Set-Cookie", "understudy.handle=h" + cookies.size() + "; Path=/sessions");
      String before = value;
      if (exchange.getRequestMethod().equals("POST")) {
        value = exchange.getRequestURI().getQuery().replaceAll("n=(\\d+)&.*", "$1");
      }
      answer(exchange, before);
    });
    server.start();
  }

  private static void answer(HttpExchange exchange, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  private URI address() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  @Test
  void sendsTheCookiesOfAllAnswersBack() throws IOException {
    try (SessionClient client = new SessionClient(address(), ONE)) {
      client.update();
      client.update();
      assertTrue(client.isShownBy(address()));
    }
    assertEquals(
        List.of("null", "JSESSIONID=A1; understudy.handle=h1", "JSESSIONID=A1; understudy.handle=h2"), cookies);
  }

  @Test
  void aLostUpdateIsAFailure() throws IOException {
    try (SessionClient client = new SessionClient(address(), ONE)) {
      client.update();
      value = "0";
      assertFalse(client.isShownBy(address()));
      IOException failure = assertThrows(IOException.class, client::update);
      assertEquals("Update 2 of a session with 10 B found the value 0, not 1.", failure.getMessage());
    }
  }

  @Test
  void everyContentIsMeasuredAtEveryServerAfterAWarmUp() throws IOException {
    Map<Cell, SessionClient> clients = new LinkedHashMap<>();
    clients.put(new Cell(Setup.NONE, 1, ONE), new SessionClient(address(), ONE));
    RoundTrips roundTrips = new RoundTrips(clients);
    roundTrips.warmUp(3, 2, share -> {});
    roundTrips.measure(5, 2, share -> {});
    assertEquals(5, roundTrips.at(new Cell(Setup.NONE, 1, ONE)).count());
    assertEquals(8, cookies.size());
    clients.values().iterator().next().close();
  }

  @Test
  void ratiosAreThoseOfTheServersMeans(@TempDir Path directory) throws IOException {
    RoundTrips roundTrips = new RoundTrips(Map.of());
    for (Content content : Content.ALL) {
      roundTrips.add(new Cell(Setup.NONE, 1, content), 200_000);
      for (Setup setup : List.of(Setup.UNDERSTUDY, Setup.DELTA, Setup.BACKUP)) {
        for (int at = 1; at <= 3; at++) {
          roundTrips.add(new Cell(setup, at, content), at * 200_000L);
        }
      }
    }
    assertEquals(2, roundTrips.ratio(Setup.DELTA, Content.ALL.get(5)), 0.01);
    assertEquals("400  2.00", Tables.cell(roundTrips, Setup.UNDERSTUDY, ONE));
    Tables.write(roundTrips, directory);
    List<String> lines = Files.readAllLines(directory.resolve("sessions.csv"));
    assertEquals(1 + 10 * Content.ALL.size(), lines.size());
    assertTrue(lines.get(4).startsWith("understudy,3,1,10,1,600."), lines.get(4));
    assertEquals(3, Double.parseDouble(lines.get(4).substring(lines.get(4).lastIndexOf(',') + 1)), 0.01);
    new Report(roundTrips, Scale.QUICK).write(directory.resolve("report.html"));
    assertTrue(Files.readString(directory.resolve("report.html")).contains("<td>400<small>2.00</small></td>"));
  }
}
