package org.understudy.lab.group.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.lab.http.ConnectionRefusedException;
import org.understudy.replication.api.ReadLevel;
import org.understudy.test.network.FreePorts;

/** The client of the figures, at replicas that answer as told. */
class CounterClientTest {
  private static final String VERSION = "<ur:VersionHandle>2.7</ur:VersionHandle>";
  private final List<String> received = new CopyOnWriteArrayList<>();
  private HttpServer first;
  private HttpServer second;

  /** A replica that redirects each first attempt of an update to this other one; 0 to execute it. */
  private HttpServer replica(int number, int target) throws IOException {
    HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", exchange -> {
      String request = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      received.add(number + " " + request);
      if (request.contains("OpenSession")) {
        answer(exchange, 200, "<ur:Session>0a</ur:Session>" + VERSION);
      } else if (request.contains("createCounter") && (target == 0 || !request.contains("<ur:Attempt>1<"))) {
        answer(exchange, 200, VERSION + "<Address>http://elsewhere/counter/7</Address>");
      } else if (target != 0 && request.contains("<ur:Attempt>1<")) {
        answer(exchange, 500, "<ur:Target>" + target + "</ur:Target>");
      } else {
        exchange.getResponseHeaders().set("Server-Timing", "stable;dur=1, executions;desc=\"3\"");
        answer(exchange, 200, VERSION + "<addResponse xmlns=\"http://counter.com\"><total>41</total></addResponse>");
      }
    });
    server.start();
    return server;
  }

  private static void answer(HttpExchange exchange, int status, String body) throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(status, bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static URI uri(int port) {
    return URI.create("http://127.0.0.1:" + port + "/counter");
  }

  @BeforeEach
  void start() throws IOException {
    first = replica(1, 2);
    second = replica(2, 0);
  }

  @AfterEach
  void stop() {
    first.stop(0);
    second.stop(0);
  }

  @Test
  void followsARedirectWithTheSameNumberAndStays() throws IOException {
    try (CounterClient client = new CounterClient(List.of(uri(first.getAddress().getPort()), uri(second.getAddress().getPort())), 1)) {
      assertEquals("/counter/7", client.create());
      assertEquals(41, client.add());
      assertEquals(3, client.executions());
      assertEquals(41, client.read(ReadLevel.SESSION));
      assertEquals(1, client.redirects());
    }
    List<String> calls = received.subList(received.size() - 3, received.size());
    assertTrue(calls.get(0).startsWith("2 ") && calls.get(0).contains("<ur:Sequence>1<"), "the counter is made there: " + calls);
    assertTrue(calls.get(1).startsWith("2 ") && calls.get(1).contains("<ur:Sequence>2<"), calls.toString());
    assertTrue(calls.get(2).contains("<ur:ReadLevel>session<") && calls.get(2).contains(VERSION), calls.toString());
  }

  @Test
  void aRefusedConnectionIsReportedAsSuch() throws IOException {
    int nobody = FreePorts.next();
    assertThrows(ConnectionRefusedException.class, () -> new CounterClient(List.of(uri(nobody)), 1).close());
  }
}
