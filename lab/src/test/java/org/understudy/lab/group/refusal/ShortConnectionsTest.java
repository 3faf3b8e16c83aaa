package org.understudy.lab.group.refusal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.lab.group.client.CounterClient;
import org.understudy.lab.group.client.CounterServer;
import org.understudy.test.network.FreePorts;

/** Clients that connect for each request, at servers that accept them, do not, or end the connection. */
class ShortConnectionsTest {
  private CounterServer server;

  @BeforeEach
  void start() throws IOException {
    server = new CounterServer();
  }

  @AfterEach
  void stop() throws IOException {
    server.close();
  }

  /** Clients with sessions, whose requests go to this address. */
  private List<ShortClient> clients(int count, URI address) throws IOException {
    List<ShortClient> clients = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      try (CounterClient client = new CounterClient(List.of(server.service()), 1)) {
        client.create();
        clients.add(new ShortClient(client.session(), List.of(address), 1));
      }
    }
    return clients;
  }

  @Test
  void eachRequestHasAConnectionOfItsOwn() throws Exception {
    List<ShortClient> clients = clients(3, server.service());
    int before = server.accepted();
    RefusalPoint point = ShortConnections.run(clients, 50);
    assertEquals(server.adds(), point.requests());
    assertEquals(point.requests(), point.answered().count(), point.failures().toString());
    assertEquals(point.requests(), server.accepted() - before);
    assertTrue(point.requests() >= 3, point.requests() + " requests");
    assertTrue(server.received.get(server.received.size() - 1).contains("<ur:Sequence>"), "with the session");
  }

  @Test
  void aServerThatDoesNotListenRefusesAll() throws Exception {
    RefusalPoint point = ShortConnections.run(clients(2, URI.create("http://127.0.0.1:" + FreePorts.next() + "/counter")), 20);
    assertTrue(point.requests() >= 2, point.requests() + " requests");
    assertEquals(100, point.refusedPercent());
    assertEquals(0, point.throughput());
  }

  /** The queue of a listener that accepts nothing takes one connection more than its backlog. */
  @Test
  void connectionsThatAFullQueueDropsCountAsRefused() throws Exception {
    try (ServerSocket full = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        Socket one = new Socket(full.getInetAddress(), full.getLocalPort());
        Socket two = new Socket(full.getInetAddress(), full.getLocalPort())) {
      assertTrue(one.isConnected() && two.isConnected());
      RefusalPoint point = ShortConnections.run(clients(1, URI.create("http://127.0.0.1:" + full.getLocalPort() + "/counter")), 1);
      assertEquals(1, point.requests());
      assertEquals(100, point.refusedPercent());
    }
  }

  @Test
  void anEndWithoutAResponseIsAFailureAndTheClientGoesOn() throws Exception {
    AtomicInteger adds = new AtomicInteger();
    server.unanswered = envelope -> envelope.contains("<add ") && adds.incrementAndGet() % 2 == 0;
    List<ShortClient> clients = clients(2, server.service());
    long requests = 0;
    long answered = 0;
    long failed = 0;
    while (adds.get() < 4) {
      RefusalPoint point = ShortConnections.run(clients, 20);
      requests += point.requests();
      answered += point.answered().count();
      failed += point.failures().values().stream().mapToLong(Long::longValue).sum();
      assertEquals(0, point.refusedPercent());
    }
    assertEquals(adds.get(), requests, "no request is sent twice");
    assertEquals(adds.get() / 2, failed);
    assertEquals(requests - failed, answered);
  }

  @Test
  void aFaultIsAFailureWithItsCode() throws Exception {
    server.fault = "<ur:Code>Overloaded</ur:Code>";
    List<ShortClient> clients = clients(1, server.service());
    RefusalPoint point = ShortConnections.run(clients, 1);
    assertEquals(Map.of("Overloaded", point.requests()), point.failures());
    assertEquals(100, point.failedPercent());
  }

  @Test
  void aRedirectedClientStaysAtTheTarget() throws Exception {
    try (CounterServer second = new CounterServer()) {
      server.fault = "<ur:Target>2</ur:Target>";
      List<ShortClient> clients = new ArrayList<>();
      try (CounterClient client = new CounterClient(List.of(server.service()), 1)) {
        client.create();
        clients.add(new ShortClient(client.session(), List.of(server.service(), second.service()), 1));
      }
      RefusalPoint first = ShortConnections.run(clients, 1);
      RefusalPoint next = ShortConnections.run(clients, 1);
      assertEquals(first.requests(), first.answered().count());
      assertEquals(next.requests(), next.answered().count());
      assertEquals(1, server.adds(), "only the first request of the first point");
      assertTrue(second.received.get(0).contains("<ur:Attempt>2<"), second.received.get(0));
    }
  }
}
