package org.understudy.container.peer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;

/** A replica that is configured differently does not join, and both sides say what differs. */
class ConfigurationMismatchHttpTest {
  @TempDir Path directory;
  private final List<String> lines = new CopyOnWriteArrayList<>();
  private final List<Logger> loggers =
      List.of(
          Logger.getLogger("org.understudy.replication.runtime.inbound.PeerServer"),
          Logger.getLogger("org.understudy.replication.runtime.socket.OutgoingLink"),
          Logger.getLogger("org.understudy.container.peer.HttpLink"));
  private final Handler handler =
      new Handler() {
        @Override
        public void publish(LogRecord line) {
          lines.add(new SimpleFormatter().formatMessage(line));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
      };

  @BeforeEach
  void listen() {
    loggers.forEach(logger -> {
      logger.setLevel(Level.WARNING);
      logger.addHandler(handler);
    });
  }

  @AfterEach
  void leave() {
    loggers.forEach(logger -> {
      logger.removeHandler(handler);
      logger.setLevel(null);
    });
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call", "notification"})
  void replicaWithAWrongUrlOrSecretDoesNotJoin(String transfer) throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.transfer", transfer))) {
      int other = site.backup();
      site.stop(other);
      String list = site.setting("understudy.replicas");
      String wrong = list.replace("2=http://127.0.0.1", "2=http://127.0.0.9");
      refused(site, other, Map.of("understudy.replicas", wrong),
          "understudy.replicas gives replica 2 the address http://127.0.0.9:" + site.port(2) + "/app here and"
              + " http://127.0.0.1:" + site.port(2) + "/app at replica",
          "understudy.replicas gives replica 2 the address http://127.0.0.1:" + site.port(2) + "/app here and"
              + " http://127.0.0.9:" + site.port(2) + "/app at replica " + other);
      refused(site, other, Map.of("understudy.secret", "not the secret of the tests"),
          "It rejects this replica: the secrets differ (understudy.secret).",
          "It claims to be replica " + other + " and does not know the group's secret (understudy.secret).");
      site.start(other);
      Condition.await(() -> site.health(other, "ready").statusCode() == 200);
    }
  }

  private void refused(ServiceCluster site, int replica, Map<String, String> different, String there, String here)
      throws Exception {
    lines.clear();
    site.start(replica, different);
    Condition.await(() -> logged(there) && logged(here));
    assertNotEquals(200, site.health(replica, "ready").statusCode());
    assertEquals(200, site.call(site.primary(), envelope("", notebook("append", "x"))).status());
    site.stop(replica);
  }

  private boolean logged(String text) {
    return lines.stream().anyMatch(line -> line.contains(text));
  }
}
