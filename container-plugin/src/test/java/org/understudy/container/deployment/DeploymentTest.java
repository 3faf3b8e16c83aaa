package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Site;
import org.understudy.container.Site.Answer;
import org.understudy.container.service.NotebookService;

class DeploymentTest {
  @TempDir Path directory;

  @Test
  void aWrongSettingStopsTheStartWithOneLine() {
    List<String> lines = new ArrayList<>();
    Logger logger = Logger.getLogger(UnderstudyInitializer.class.getName());
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        lines.add(entry.getMessage());
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(handler);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    try {
      assertThrows(IllegalStateException.class,
          () -> new Site(directory, NotebookService.class, 1, Map.of("understudy.strategie", "none")));
    } finally {
      logger.removeHandler(handler);
      logger.setLevel(null);
      logger.setUseParentHandlers(true);
    }
    assertEquals(1, lines.size(), lines.toString());
    assertEquals(1, lines.get(0).lines().count());
    assertTrue(lines.get(0).contains("There is no key understudy.strategie"), lines.get(0));
  }

  @Test
  void aReplicaWithTooMuchToDoPointsElsewhere() throws Exception {
    NotebookService.BEGUN.drainPermits();
    NotebookService.GO.drainPermits();
    try (Site site = new Site(directory, NotebookService.class, 1, Map.of("understudy.load.threshold", "1"))) {
      CompletableFuture<Answer> slow = site.callLater(1, envelope("", notebook("appendSlowly", "a")));
      NotebookService.BEGUN.acquireUninterruptibly();
      Answer refused = site.call(1, envelope("", notebook("append", "b")));
      assertEquals("Overloaded", refused.between("<ur:Code>", "</ur:Code>"));
      assertEquals("no", refused.between("<ur:Executed>", "</ur:Executed>"));
      assertTrue(site.health(1, "live").body().contains("\"load\":1"));
      NotebookService.GO.release();
      assertEquals(200, slow.join().status());
      assertEquals(200, site.call(1, envelope("", notebook("append", "b"))).status());
      assertTrue(site.health(1, "live").body().contains("\"load\":0"));
    }
  }

  @Test
  void timingIsToldWhenAskedFor() throws Exception {
    try (Site site = new Site(directory, NotebookService.class, 3, Map.of("understudy.timing.header", "true"))) {
      var request = java.net.http.HttpRequest.newBuilder(site.uri(site.primary(), site.service()))
          .header("Content-Type", "text/xml")
          .POST(java.net.http.HttpRequest.BodyPublishers.ofString(envelope("", notebook("append", "a")))).build();
      var answer = java.net.http.HttpClient.newHttpClient()
          .send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
      assertTrue(answer.headers().firstValue("Server-Timing").orElse("").matches("stable;dur=[0-9.E-]+"),
          answer.headers().toString());
    }
  }
}
