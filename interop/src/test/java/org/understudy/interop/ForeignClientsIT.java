package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.lab.cluster.Cluster;

/** A whole session of each client, which knows the WSDLs' URLs and nothing of replication. */
class ForeignClientsIT {
  private static final int REPLICAS = 3;
  private static final Map<ForeignClient, List<String>> MADE = new EnumMap<>(ForeignClient.class);
  private static final Cluster GROUP = new Cluster(Path.of("../scripts/cluster"), 28_700, REPLICAS);

  @BeforeAll
  static void up() throws Exception {
    GROUP.run("up", "--replicas", Integer.toString(REPLICAS));
  }

  @AfterAll
  static void down() throws Exception {
    GROUP.run("down");
  }

  private static Session start(ForeignClient client, int first) throws IOException, InterruptedException {
    List<String> wsdls = new ArrayList<>();
    for (int i = 0; i < REPLICAS; i++) {
      wsdls.add(GROUP.wsdl((first - 1 + i) % REPLICAS + 1).toString());
    }
    if (!MADE.containsKey(client)) {
      MADE.put(client, client.make(wsdls.get(0)));
    }
    return new Session(MADE.get(client), wsdls);
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void carriesOutItsSessionAtABackup(ForeignClient client) throws Exception {
    int backup = GROUP.awaitWhole() % REPLICAS + 1;
    try (Session session = start(client, backup)) {
      session.await("busy");
      session.goOn();
      assertEquals(0, session.retriesAtTheEnd(), session::toString);
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource
  void carriesOutItsSessionWhileThePrimaryIsKilled(ForeignClient client) throws Exception {
    int primary = GROUP.awaitWhole();
    try (Session session = start(client, primary)) {
      session.await("busy");
      GROUP.run("kill", Integer.toString(primary));
      try {
        GROUP.awaitFailover(primary);
        session.goOn();
        assertTrue(session.retriesAtTheEnd() > 0, () -> "The client was not at the killed primary:\n" + session);
      } finally {
        GROUP.run("restart", Integer.toString(primary));
      }
    }
  }
}
