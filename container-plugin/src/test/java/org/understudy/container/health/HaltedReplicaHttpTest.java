package org.understudy.container.health;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.strategy.ForEachStrategy;

@ForEachStrategy
class HaltedReplicaHttpTest {
  @TempDir Path directory;

  @Test
  void haltedReplicaFailsLivenessWithTheReason() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, LampService.class, 3, Map.of())) {
      int primary = site.primary();
      int halting = site.backup();
      int other = 6 - primary - halting;
      assertEquals(200, site.health(halting, "live").statusCode());
      // Where the next membership record is to be written stands something else.
      Files.createDirectories(directory.resolve("data-" + halting).resolve("membership.new").resolve("in-the-way"));
      site.stop(primary);
      Condition.await(() -> site.health(halting, "live").statusCode() == 503);
      HttpResponse<String> answer = site.health(halting, "live");
      assertTrue(answer.body().contains("\"role\":\"HALTED\""), answer.body());
      assertTrue(answer.body().contains("\"halted\":\"its membership record cannot be stored"), answer.body());
      assertTrue(answer.body().contains("\"writable\":false"), answer.body());
      assertEquals(503, site.health(halting, "ready").statusCode());
      assertEquals(200, site.health(other, "live").statusCode());
    }
  }
}
