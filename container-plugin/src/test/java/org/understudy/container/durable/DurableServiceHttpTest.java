package org.understudy.container.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

/** A service with durable state objects, in the form of generated code, at three replicas. */
@ForEachStrategy
class DurableServiceHttpTest {
  @TempDir private Path directory;

  private static String request(String session, int sequence, int attempt, String operation, String text) {
    return Soap.envelope(Soap.header(session, sequence, attempt), Soap.notebook(operation, text));
  }

  private static String result(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  @Test
  void objectsSurviveAsTheirMechanismsPromise() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, DurableNotebook.class, 3, Map.of())) {
      String session = site.openSession();
      int primary = site.primary();
      assertEquals("a|a", result(site.call(primary, request(session, 1, 1, "append", "a"))));
      assertEquals("a|ab", result(noted(site, primary, session)));
      Answer declared = site.call(primary, request(session, 4, 1, "refuse", "c"));
      assertTrue(declared.text().contains("No more."), declared.text());
      assertEquals("ac|abc", result(site.call(primary, request(session, 5, 1, "quote", ""))), "a declared fault keeps what was done");

      Answer undeclared = site.call(primary, request(session, 6, 1, "stumble", "d"));
      assertEquals(500, undeclared.status());
      assertTrue(undeclared.text().contains("The service failed."), undeclared.text());
      assertEquals("ac|", result(site.call(primary, request(session, 7, 1, "quote", ""))), "another exception undoes; drafts may be lost");

      site.stop(primary);
      int next = site.nextServer();
      Answer repeated = site.call(next, request(session, 6, 2, "stumble", "d"));
      assertTrue(repeated.text().contains("The service failed."), repeated.text());
      assertTrue(repeated.text().contains("<ur:Status>replayed"), repeated.text());
      assertEquals("ace|e", result(site.call(next, request(session, 8, 1, "append", "e"))));
    }
  }

  private static Answer noted(ServiceCluster site, int primary, String session) {
    site.call(primary, request(session, 2, 1, "note", "b"));
    return site.call(primary, request(session, 3, 1, "quote", ""));
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "every replica of the group compares, and one is enough here")
  void aBackupFindsARepeatedMethodThatIsNotDeterministic() throws Exception {
    String text = "x".repeat(40_000);
    try (ServiceCluster site = new ServiceCluster(directory, CarelessNotebook.class, 2, Map.of())) {
      // As large as the whole state: then the whole state replaces the updates.
      for (int i = 0; i < 5; i++) {
        site.call(site.primary(), Soap.envelope("", Soap.notebook("append", text)));
      }
      Condition.await("a comparison", () -> meter(site, "replaysCompared") > 0);
      assertEquals(0, meter(site, "replaysDiffering"));
      Condition.await("a difference", () -> {
        site.call(site.primary(), Soap.envelope("", Soap.notebook("append", "random" + text)));
        return meter(site, "replaysDiffering") > 0;
      });
      assertTrue(site.health(site.primary(), "live").body().contains("\"replaysCompared\":0"), "the primary has its own state");
    }
  }

  private static long meter(ServiceCluster site, String name) {
    String backup = site.health(site.backup(), "live").body();
    return Long.parseLong(backup.replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1"));
  }
}
