package org.understudy.lab.group;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.lab.group.Load.Mix;
import org.understudy.lab.group.client.CounterClient;
import org.understudy.lab.group.client.CounterServer;
import org.understudy.replication.api.ReadLevel;
import org.understudy.test.Condition;

/** Clients of a point, at a server that closes connections. */
class LoadTest {
  private static final Mix UPDATES = new Mix(100, ReadLevel.SESSION);

  private final List<CounterClient> clients = new ArrayList<>();
  private CounterServer server;

  @BeforeEach
  void start() throws Exception {
    server = new CounterServer();
    for (int i = 0; i < 3; i++) {
      CounterClient client = new CounterClient(List.of(server.service()), 1);
      client.create();
      clients.add(client);
    }
  }

  @AfterEach
  void stop() throws Exception {
    for (CounterClient client : clients) {
      client.close();
    }
    server.close();
  }

  @Test
  void noConnectionIsIdleBetweenTwoPoints() throws Exception {
    Point point = new Point();
    Load.run(clients, UPDATES, 1, point);
    Condition.await("the clients to disconnect", () -> server.connections() == 0);
    Load.run(clients, UPDATES, 1, point);
    assertTrue(point.answered() >= 6, point.answered() + " requests");
    assertEquals(0, point.failedPercent());
  }

  @Test
  void aRequestWithoutAnAnswerIsCountedAndNotSentAgain() throws Exception {
    AtomicInteger adds = new AtomicInteger();
    server.unanswered = envelope -> envelope.contains("<add ") && adds.incrementAndGet() % 2 == 0;
    Point point = new Point();
    while (adds.get() < 4) {
      Load.run(clients, UPDATES, 1, point);
    }
    assertTrue(point.failedPercent() > 0 && point.failedPercent() < 100, point.failedPercent() + " %");
    assertEquals(server.adds(), point.calls());
    assertEquals(server.adds() - adds.get() / 2, point.answered());
    assertEquals(point.answered(), point.samples().count(), "no round trip of a request without an answer");
  }

  @Test
  void aServerThatDoesNotListenRefusesEveryRequest() throws Exception {
    server.close();
    Condition.await("the connections to end", () -> server.connections() == 0);
    Point point = new Point();
    // The first request may still meet the connection that the client was made with.
    Load.run(clients, UPDATES, 1, new Point());
    Load.run(clients, UPDATES, 1, point);
    assertEquals(100, point.refusedPercent());
    assertEquals(0, point.failedPercent());
    assertEquals(0, point.throughput());
  }
}
