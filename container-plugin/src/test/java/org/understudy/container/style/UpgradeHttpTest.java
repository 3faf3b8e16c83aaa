package org.understudy.container.style;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OlderBuildStrategy;

/** A group whose replicas are upgraded one after another. */
@ForEachStrategy
class UpgradeHttpTest {
  @TempDir Path directory;

  private static String stamp(String session, int sequence, int attempt) {
    return Soap.envelope(
        Soap.header(session, sequence, attempt) + "<h:token xmlns:h='urn:headed'>t</h:token>",
        "<h:stamp xmlns:h='urn:headed'><what>it</what></h:stamp>");
  }

  @Test
  void responseHeadersAreStoredWhenEveryMemberCanReadThem() throws Exception {
    try (ServiceCluster site =
        new ServiceCluster(directory, Styles.Headed.class, 3, Map.of("understudy.strategy", OlderBuildStrategy.NAME))) {
      String session = site.openSession();
      int first = site.primary();
      assertTrue(site.health(first, "live").body().contains("\"wire\":1,"), site.health(first, "live").body());
      Answer mixed = site.call(first, stamp(session, 1, 1));
      assertEquals(200, mixed.status(), mixed.text());
      assertFalse(mixed.text().contains("t/1"), mixed.text());

      site.stop(OlderBuildStrategy.OLDER);
      Condition.await(() -> site.health(site.primary(), "live").body().contains("\"wire\":" + WireVersions.CURRENT.newest() + ","));
      Answer upgraded = site.call(site.primary(), stamp(session, 2, 1));
      assertTrue(upgraded.text().contains("t/2"), upgraded.text());

      // It could not read the stored reply, so it is not admitted; the reply survives a failover to the other replica.
      site.start(OlderBuildStrategy.OLDER);
      int primary = site.primary();
      Answer again = site.call(primary, stamp(session, 2, 2));
      assertTrue(again.text().contains("replayed") && again.text().contains("t/2"), again.text());
      assertEquals(503, site.health(OlderBuildStrategy.OLDER, "ready").statusCode());
      // What was stored without headers stays so.
      assertFalse(site.call(primary, stamp(session, 1, 2)).text().contains("t/1"));
    }
  }

  @Test
  void aServiceThatIsNotReplicatedKeepsItsHeaders() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(Styles.Headed.class, 1, Map.of("understudy.strategy", "none"))) {
      Answer answer = site.call(1, stamp(site.openSession(), 1, 1));
      assertTrue(answer.text().matches("(?s).*t/\\d.*"), answer.text());
    }
  }
}
