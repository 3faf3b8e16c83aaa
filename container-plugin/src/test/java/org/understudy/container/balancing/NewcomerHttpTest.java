package org.understudy.container.balancing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.Condition;

/** Executions at a member that joined take long: its clients do not wait. They prefer the member, and so try it at once. */
class NewcomerHttpTest {
  private static final int NEWCOMER = 3;

  @TempDir private Path directory;

  private ServiceCluster site;
  private final List<FaultTolerantGroup> clients = new ArrayList<>();
  /** Ends the execution that is held. */
  private CompletableFuture<Void> held = new CompletableFuture<>();
  private URI newcomer;
  private int paid;

  @BeforeEach
  void open() throws Exception {
    site = new ServiceCluster(directory, TillService.class, 3, Map.of("understudy.strategy", "group"));
    newcomer = address(NEWCOMER);
    site.stop(NEWCOMER);
    site.primary();
  }

  @AfterEach
  void close() throws Exception {
    held.complete(null);
    clients.forEach(FaultTolerantGroup::close);
    site.close();
  }

  private URI address(int replica) {
    return site.uri(replica, site.service());
  }

  /** A client that knows the view without the newcomer. */
  private Till client() throws IOException {
    List<URI> addresses = List.of(address(1), address(2), newcomer);
    FaultTolerantGroup client = FaultTolerant.group(FaultTolerance.custom().replicas(addresses).preferred(newcomer).build());
    clients.add(client);
    Till till = client.client(Till.class, URI.create(addresses.get(0) + "?wsdl").toURL());
    till.sum();
    return till;
  }

  @Test
  void itsFirstUpdateAndReadAreAnsweredByAnotherMember() throws Exception {
    Till update = client();
    Till read = client();
    site.start(NEWCOMER);
    for (FaultTolerantGroup client : clients) {
      Condition.await("the view with the member that joined", () -> client.servers().contains(newcomer));
    }

    hold(() -> assertEquals(0, read.sum()));
    release();
    hold(() -> pay(update));
    pay(update);
    release();
    pay(update);
    for (int replica = 1; replica <= 3; replica++) {
      assertEquals("" + paid, linearizableSum(replica));
    }
  }

  private void pay(Till till) {
    assertEquals(++paid, till.pay(1));
  }

  /** Calls until the newcomer executes a call, which it is held in: no call waits for it. A trial may end before the request is there. */
  private void hold(Runnable call) {
    held = new CompletableFuture<>();
    TillService.HOLD.set(new TillService.Hold(site.port(NEWCOMER), held));
    Condition.await("an execution at the newcomer", () -> {
      call.run();
      return TillService.HOLD.get() == null;
    });
  }

  private void release() {
    held.complete(null);
    Condition.await("the end of the request at the newcomer", () -> load() == 0);
  }

  private int load() {
    Matcher meter = Pattern.compile("\"load\":(\\d+)").matcher(site.health(NEWCOMER, "live").body());
    assertTrue(meter.find());
    return Integer.parseInt(meter.group(1));
  }

  private String linearizableSum(int replica) {
    byte[] request =
        Soap.envelope(Soap.header("<ReadLevel>linearizable</ReadLevel>"), "<t:sum xmlns:t=\"urn:till\"/>").getBytes(StandardCharsets.UTF_8);
    return site.post(replica, site.service(), request, "text/xml; charset=UTF-8").between("<return>", "</return>");
  }
}
