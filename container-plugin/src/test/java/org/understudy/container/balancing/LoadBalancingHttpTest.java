package org.understudy.container.balancing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
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
import org.understudy.test.cluster.Answer;

/** Bartoli et al. 2005, Fig. 4, by three replicas of which each passes requests on while one is in progress. */
class LoadBalancingHttpTest {
  private static final Map<String, String> SETTINGS =
      Map.of("understudy.strategy", "group", "understudy.load.threshold", "1", "understudy.load.limit", "2");

  @TempDir private Path directory;

  private final List<CompletableFuture<Answer>> visitors = new ArrayList<>();
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    site = ServiceCluster.shared(RoomService.class, 3, SETTINGS);
    for (int replica = 1; replica <= 3; replica++) {
      site.awaitReady(replica);
    }
  }

  @AfterEach
  void close() throws Exception {
    leave();
    site.close();
  }

  private void leave() {
    RoomService.GO.release(visitors.size());
    visitors.forEach(answer -> assertEquals(200, answer.join().status()));
    visitors.clear();
  }

  private static String room(String operation) {
    return "<r:" + operation + " xmlns:r=\"urn:room\"/>";
  }

  private static String attempt(int number, String operation) {
    return Soap.envelope(Soap.header("<Attempt>" + number + "</Attempt>"), room(operation));
  }

  /** Keeps the replica busy with one request. */
  private void occupy(int replica) {
    occupy(site, replica);
  }

  private void occupy(ServiceCluster cluster, int replica) {
    // As a retry, it is not passed on.
    visitors.add(cluster.callLater(replica, attempt(2, "stay")));
    RoomService.COME.acquireUninterruptibly();
  }

  private Answer read(int replica, int attempt) {
    return site.call(replica, attempt(attempt, "seats"));
  }

  private static boolean isRedirected(Answer answer) {
    return answer.text().contains("<ur:Code>Redirected</ur:Code>");
  }

  private long meter(int replica, String name) {
    return meter(site, replica, name);
  }

  private static long meter(ServiceCluster cluster, int replica, String name) {
    Matcher meter = Pattern.compile("\"" + name + "\":(\\d+)").matcher(cluster.health(replica, "live").body());
    assertTrue(meter.find());
    return Long.parseLong(meter.group(1));
  }

  @Test
  void aBusyReplicaRedirectsClientsWithTheHeaderOnce() {
    assertEquals(200, read(1, 1).status());
    occupy(1);
    long before = meter(1, "redirected");
    AtomicReference<Answer> last = new AtomicReference<>();
    Condition.await("a redirect, once the others' indexes are known", () -> {
      last.set(read(1, 1));
      return isRedirected(last.get());
    });
    Answer redirect = last.get();
    assertEquals(500, redirect.status());
    assertEquals("no", redirect.between("<ur:Executed>", "</ur:Executed>"));
    int target = Integer.parseInt(redirect.between("<ur:Target>", "</ur:Target>"));
    assertTrue(target == 2 || target == 3, redirect.text());
    assertTrue(meter(1, "redirected") > before);
    assertEquals(200, read(target, 2).status());
    assertEquals(200, read(1, 2).status(), "a retry is served");
  }

  @Test
  void aBusyReplicaForwardsRequestsWithoutTheHeader() {
    occupy(1);
    long before = meter(1, "forwardedByLoad");
    Condition.await("a forwarded request", () -> {
      Answer answer = site.call(1, Soap.envelope("", room("seats")));
      assertEquals(200, answer.status(), "here or there");
      return meter(1, "forwardedByLoad") > before;
    });
  }

  @Test
  void withoutAReplicaBelowTheThresholdRequestsAreServedUpToTheLimit() {
    for (int replica = 1; replica <= 3; replica++) {
      occupy(replica);
    }
    Condition.await("an empty try set", () -> read(1, 1).status() == 200);
    occupy(1);
    Answer refused = read(1, 2);
    assertEquals("Overloaded", refused.between("<ur:Code>", "</ur:Code>"));
    assertEquals(200, read(2, 2).status(), "the limit is that of one replica");
  }

  @Test
  void theStubFollowsRedirectsWithoutAnError() throws Exception {
    occupy(1);
    occupy(2);
    Condition.await("redirects", () -> isRedirected(read(1, 1)));
    Condition.await("redirects", () -> isRedirected(read(2, 1)));
    long before = meter(1, "redirected") + meter(2, "redirected");
    int clients = 8;
    for (int i = 0; i < clients; i++) {
      FaultTolerance config = FaultTolerance.custom().replicas(addresses()).jitter(new SplittableRandom(i)).build();
      try (FaultTolerantGroup group = FaultTolerant.group(config)) {
        Room room = group.client(Room.class, URI.create(addresses().get(0) + "?wsdl").toURL());
        assertEquals(0, room.seats());
        assertEquals(0, room.seats());
      }
    }
    long followed = meter(1, "redirected") + meter(2, "redirected") - before;
    assertTrue(followed > 0 && followed < clients, followed + " clients began at a busy replica, and remained at the other");
  }

  private List<URI> addresses() {
    return List.of(site.uri(1, site.service()), site.uri(2, site.service()), site.uri(3, site.service()));
  }

  @Test
  void whereAllReplicasHaveOneAddressRequestsAreForwarded() throws Exception {
    Map<String, String> settings =
        Map.of("understudy.client.urls", "http://balancer.example/app", "understudy.load.threshold", "1");
    try (ServiceCluster balanced = new ServiceCluster(directory, RoomService.class, 2, settings)) {
      String header = Soap.header("<Session>" + balanced.openSession() + "</Session><Sequence>1</Sequence><AckBelow>1</AckBelow>");
      Answer answer = balanced.call(balanced.backup(), Soap.envelope(header, "<r:add xmlns:r=\"urn:room\"><seats>7</seats></r:add>"));
      assertEquals("7", answer.between("<return>", "</return>"), "an update by a stub at a backup");
      Answer refused = balanced.call(balanced.backup(), Soap.envelope("", "<bad"));
      assertTrue(refused.text().contains(">http://balancer.example/app/services/RoomService<"), refused.text());
      HttpRequest contract = HttpRequest.newBuilder(URI.create(balanced.uri(1, balanced.service()) + "?wsdl")).build();
      String wsdl = HttpClient.newHttpClient().send(contract, HttpResponse.BodyHandlers.ofString()).body();
      assertTrue(wsdl.contains("\"http://balancer.example/app/services/RoomService\""), wsdl);
      assertFalse(wsdl.contains("127.0.0.1"), wsdl);
      int primary = balanced.primary();
      occupy(balanced, primary);
      Condition.await("a forwarded read of a client with the header", () -> {
        Answer read = balanced.call(primary, attempt(1, "seats"));
        assertEquals(200, read.status(), read.text());
        return meter(balanced, primary, "forwardedByLoad") > 0;
      });
      leave();
    }
  }
}
