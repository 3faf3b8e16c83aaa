package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;

/** A replica that is configured differently does not join, and both sides say what differs. */
class ConfigurationMismatchHttpTest {
  private static final String[] LOGGERS = {
    "org.understudy.replication.runtime.inbound.PeerServer",
    "org.understudy.replication.runtime.socket.OutgoingLink",
    "org.understudy.container.peer.HttpLink"
  };

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call", "notification"})
  void replicaWithAWrongUrlOrSecretDoesNotJoin(String transfer) throws Exception {
    try (LogRecorder log = LogRecorder.of(Level.WARNING, LOGGERS);
        ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.transfer", transfer))) {
      int other = site.backup();
      site.stop(other);
      String list = site.setting("understudy.replicas");
      String wrong = list.replace("2=http://127.0.0.1", "2=http://127.0.0.9");
      refused(site, log, other, Map.of("understudy.replicas", wrong),
          "understudy.replicas gives replica 2 the address http://127.0.0.9:" + site.port(2) + "/app here and"
              + " http://127.0.0.1:" + site.port(2) + "/app at replica",
          "understudy.replicas gives replica 2 the address http://127.0.0.1:" + site.port(2) + "/app here and"
              + " http://127.0.0.9:" + site.port(2) + "/app at replica " + other);
      refused(site, log, other, Map.of("understudy.secret", "not the secret of the tests"),
          "It rejects this replica: the secrets differ (understudy.secret).",
          "It claims to be replica " + other + " and does not know the group's secret (understudy.secret).");
      site.start(other);
      Condition.await(() -> site.health(other, "ready").statusCode() == 200);
    }
  }

  private static void refused(
      ServiceCluster site, LogRecorder log, int replica, Map<String, String> different, String there, String here)
      throws Exception {
    log.clear();
    site.start(replica, different);
    Condition.await(() -> log.has(there) && log.has(here));
    assertNotEquals(200, site.health(replica, "ready").statusCode());
    assertEquals(200, site.call(site.primary(), envelope("", notebook("append", "x"))).status());
    site.stop(replica);
  }
}
