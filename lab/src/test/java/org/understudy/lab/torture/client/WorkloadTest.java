package org.understudy.lab.torture.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.durability.counter.TwiceKeptCounterService;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.Level;
import org.understudy.lab.torture.history.Operation;

/** What the check of durable counters records, at a server that answers each read with the same value. */
class WorkloadTest {
  private static final String VALUE = Envelopes.envelope(
      "", "<ns2:valueResponse xmlns:ns2=\"" + CounterPortType.NAMESPACE + "\"><return>42</return></ns2:valueResponse>");

  private HttpServer server;
  private URI service;

  @BeforeEach
  void start() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 10);
    server.createContext("/", exchange -> {
      byte[] answer = VALUE.getBytes(StandardCharsets.UTF_8);
      exchange.getRequestBody().readAllBytes();
      exchange.sendResponseHeaders(200, answer.length);
      exchange.getResponseBody().write(answer);
      exchange.close();
    });
    server.start();
    service = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/counter/services/CounterService");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void rowsAndWhatClientsReadAreRecorded() throws Exception {
    History history = new History();
    Workload workload = new Workload(List.of(service), 2, 0, true, history);
    workload.recordRows(Map.of(0, 42L), history.now());
    assertEquals(List.of(), workload.unreadable());
    workload.recordRows(Map.of(0, 42L, 1, 42L), history.now());
    List<Operation> counters = history.recorded().operations();
    assertEquals(List.of(42, 42, 42), values(counters, 0));
    assertEquals(List.of(0, 42, 42), values(counters, 1), "A counter without a row is 0.");
  }

  private static List<Integer> values(List<Operation> operations, int counter) {
    return operations.stream().filter(operation -> operation.resource() == counter).map(Operation::value).toList();
  }

  @Test
  void aRequestThatFindsHalfAnUpdateIsReported() {
    CounterContract counters = new DurableCounters(service);
    assertEquals(Optional.empty(), counters.wrong(VALUE, 0, Level.UPDATE));
    assertTrue(counters.wrong(VALUE.replace("42", Long.toString(TwiceKeptCounterService.HALF)), 0, Level.LOCAL).isPresent());
  }
}
