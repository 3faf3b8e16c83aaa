package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.IndexedLedger;
import org.understudy.container.service.SelfInjectedLedger;
import org.understudy.container.service.SlowLedger;
import org.understudy.container.service.SlowUpdates;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A read of a service that keeps its state in itself, while an update of it runs. */
@ForEachStrategy
class ReadOfServiceCopyHttpTest {
  @TempDir private Path directory;

  @BeforeEach
  void reset() {
    SlowUpdates.reset();
  }

  private static CompletableFuture<Answer> call(ServiceCluster site, int replica, String body) {
    return site.postLater(
        replica, site.service(), Soap.envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static CompletableFuture<Answer> add(ServiceCluster site, String operation, String entry) {
    return call(site, site.primary(), "<l:" + operation + " xmlns:l=\"urn:ledger\"><entry>" + entry + "</entry></l:" + operation + ">");
  }

  private static CompletableFuture<Answer> read(ServiceCluster site, int replica) {
    return call(site, replica, "<l:entries xmlns:l=\"urn:ledger\"/>");
  }

  private static String result(CompletableFuture<Answer> called) throws Exception {
    Answer answer = called.get(30, TimeUnit.SECONDS);
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void aReadGoesOnWithACopyOfTheLastStableUpdate(String place) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, SlowLedger.class, 3, Map.of("understudy.place", place))) {
      // Before any update there is no state in the group's image.
      String empty = "";
      for (int round = 0; round < 3; round++) {
        CompletableFuture<Answer> slow = add(site, "addSlowly", "slow" + round);
        assertTrue(SlowUpdates.CHANGED.tryAcquire(30, TimeUnit.SECONDS));
        List<CompletableFuture<Answer>> reads = new ArrayList<>();
        for (int replica = 1; replica <= 3; replica++) {
          reads.add(read(site, replica));
          reads.add(read(site, replica));
        }
        for (CompletableFuture<Answer> read : reads) {
          String found = read.get(30, TimeUnit.SECONDS).text();
          assertEquals(empty, found.contains("<return/>") ? "" : result(read), found);
        }
        assertFalse(slow.isDone());
        SlowUpdates.RELEASED.release();
        assertEquals(Integer.toString(2 * round + 1), result(slow));
        assertEquals((empty + " slow" + round).strip(), result(read(site, site.primary())));
        assertEquals(Integer.toString(2 * round + 2), result(add(site, "add", "a" + round)));
        empty = (empty + " slow" + round + " a" + round).strip();
        assertEquals(empty, result(read(site, site.backup())));
      }
      int primary = site.primary();
      site.stop(primary);
      assertEquals(empty, result(read(site, site.primary())));
      assertEquals(3, SlowUpdates.CONSTRUCTED.get(), "no constructor runs for a copy");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {IndexedLedger.class, SelfInjectedLedger.class})
  void aReadOfAServiceWithOtherFieldsWaits(Class<?> service) throws Exception {
    Map<String, String> settings = Map.of("understudy.execution.ms", "500");
    try (ServiceCluster site = new ServiceCluster(directory, service, 3, settings)) {
      CompletableFuture<Answer> slow = add(site, "addSlowly", "slow");
      assertTrue(SlowUpdates.CHANGED.tryAcquire(30, TimeUnit.SECONDS));
      String refused = read(site, site.primary()).get(30, TimeUnit.SECONDS).text();
      assertTrue(refused.contains("Overloaded"), refused);
      String pending = slow.get(30, TimeUnit.SECONDS).text();
      assertTrue(pending.contains("StillPending"), pending);
      SlowUpdates.RELEASED.release();
      Condition.await("the update to end", () -> read(site, site.primary()).join().text().contains(">slow<"));
    }
  }
}
