package org.understudy.container.outgoing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.OutgoingCall;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.UnknownResourceException;
import org.understudy.replication.api.UpdateFailedException;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

/** A service changes its state from threads of its own. */
@ForEachStrategy
class BackgroundUpdateHttpTest {
  @TempDir Path directory;
  private ServiceCluster site;

  @BeforeEach
  void clear() {
    ShopService.HOMES.clear();
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private void start(Map<String, String> settings) throws Exception {
    site = new ServiceCluster(directory, ShopService.class, 3, settings);
  }

  private ResourceHome<ShopService> home(int replica) {
    String port = ":" + site.port(replica) + "/";
    return ShopService.HOMES.stream().filter(home -> home.address("").contains(port)).findFirst().orElseThrow();
  }

  private CompletableFuture<Void> update(int replica, Consumer<ShopService> change) {
    return home(replica).update(null, change).orTimeout(30, TimeUnit.SECONDS);
  }

  private List<String> notes() {
    Answer answer = site.call(site.nextServer(), Soap.envelope("", "<s:notes xmlns:s=\"urn:shop\"/>"));
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>").lines().toList();
  }

  private static Throwable failure(CompletableFuture<Void> update) {
    return assertThrows(CompletionException.class, update::join).getCause();
  }

  @Test
  void whatAThreadOfTheServiceChangesIsReplicated() throws Exception {
    start(Map.of());
    int primary = site.primary();
    update(primary, shop -> shop.note("from a thread")).join();
    assertEquals(List.of("from a thread"), notes());
    site.stop(primary);
    assertEquals(List.of("from a thread"), notes());
  }

  @Test
  void anotherReplicaUpdatesTooOrRefusesAndNamesTheReason() throws Exception {
    start(Map.of());
    if (site.hasSeveralServers()) {
      for (int replica = 1; replica <= 3; replica++) {
        String note = "from replica " + replica;
        update(replica, shop -> shop.note(note)).join();
      }
      assertEquals(List.of("from replica 1", "from replica 2", "from replica 3"), notes());
      return;
    }
    UpdateFailedException refused =
        assertInstanceOf(UpdateFailedException.class, failure(update(site.backup(), shop -> shop.note("lost"))));
    assertEquals(FailureCode.NotPrimary, refused.code());
    assertEquals(List.of(), notes());
  }

  @Test
  void throwingChangeIsRolledBackAndReported() throws Exception {
    start(Map.of());
    IllegalArgumentException thrown = new IllegalArgumentException("the test's");
    assertEquals(thrown, failure(update(site.nextServer(), shop -> {
      shop.note("half");
      throw thrown;
    })));
    update(site.nextServer(), shop -> shop.note("whole")).join();
    assertEquals(List.of("whole"), notes());
  }

  @Test
  void theLimitsOfTheGroupApplyToAThreadOfTheService() throws Exception {
    start(Map.of("understudy.state.bytes", "1048576", "understudy.outgoing.hosts", "127.0.0.1", "understudy.outgoing.calls", "2"));
    int primary = site.primary();
    String note = "x".repeat(100_000);
    int done = 0;
    Throwable refused = null;
    while (refused == null && done < 100) {
      try {
        update(primary, shop -> shop.note(note)).join();
        done++;
      } catch (CompletionException e) {
        refused = e.getCause();
      }
    }
    UpdateFailedException full = assertInstanceOf(UpdateFailedException.class, refused);
    assertEquals(FailureCode.Overloaded, full.code());
    assertTrue(full.getMessage().contains("above the limit of 1048576 (understudy.state.bytes). Nothing was changed"), full.getMessage());
    assertEquals(done, notes().size());
    update(primary, ShopService::clear).join();
    assertEquals(List.of(), notes());
    ResourceHome<ShopService> home = home(primary);
    // Nothing listens there: the calls wait.
    OutgoingCall call = OutgoingCall.to(URI.create("http://127.0.0.1:1/"), "urn:order", ShopService.body("order", "tea"));
    for (int i = 0; i < 2; i++) {
      update(primary, shop -> home.outgoing().send(call)).join();
    }
    Throwable third = failure(update(primary, shop -> home.outgoing().send(call)));
    assertEquals(FailureCode.Overloaded, assertInstanceOf(UpdateFailedException.class, third).code());
    assertTrue(third.getMessage().contains("above the limit of 2 (understudy.outgoing.calls)"), third.getMessage());
  }

  @Test
  void anUnknownResourceIsReported() throws Exception {
    start(Map.of());
    for (String id : List.of("0123", "lifetime/0123")) {
      CompletableFuture<Void> update = home(site.nextServer()).update(id, shop -> shop.note("lost"));
      assertInstanceOf(UnknownResourceException.class, failure(update.orTimeout(30, TimeUnit.SECONDS)));
    }
  }

  @Test
  void anOperationCannotUpdateThroughTheHome() throws Exception {
    start(Map.of());
    String body = "<s:refusedUpdate xmlns:s=\"urn:shop\"><item>a</item><address>b</address></s:refusedUpdate>";
    Answer answer = site.call(site.nextServer(), Soap.envelope("", body));
    assertTrue(answer.between("<return>", "</return>").startsWith("ResourceHome.update is for threads that execute no operation."));
    int replica = site.nextServer();
    ResourceHome<ShopService> home = home(replica);
    Throwable nested = failure(update(replica, shop -> home.update(null, again -> again.note("lost"))));
    assertInstanceOf(IllegalStateException.class, nested);
    assertEquals(List.of(), notes());
  }

  @Test
  void updatesOfManyThreadsHappenOnceEachAlsoWhenRunsAreUndone() throws Exception {
    start(Map.of("understudy.strategy", Strategies.undoing()));
    int primary = site.primary();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<CompletableFuture<Void>> updates = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String note = "note " + i;
        int replica = site.hasSeveralServers() ? 1 + i % 3 : primary;
        updates.add(
            CompletableFuture.supplyAsync(() -> update(replica, shop -> shop.note(note)), threads).thenCompose(done -> done));
      }
      updates.forEach(CompletableFuture::join);
    } finally {
      threads.shutdown();
    }
    List<String> notes = notes();
    assertEquals(60, notes.size());
    assertEquals(60, notes.stream().distinct().count());
  }

  @Test
  void aChangeCanCallOtherServices() throws Exception {
    start(Map.of("understudy.outgoing.hosts", "127.0.0.1"));
    try (Supplier supplier = new Supplier()) {
      int replica = site.nextServer();
      ResourceHome<ShopService> home = home(replica);
      OutgoingCall call =
          OutgoingCall.to(URI.create(supplier.address()), "urn:order", ShopService.body("order", "tea")).tagged("tea");
      update(replica, shop -> home.outgoing().send(call)).join();
      Condition.await("the reply", () -> notes().contains("RESULT tea: tea"));
    }
  }
}
