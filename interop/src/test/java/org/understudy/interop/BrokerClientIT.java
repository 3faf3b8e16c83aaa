package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.PerStrategy;

/** A whole session with the broker by CXF's own client of WS-Notification, which brings its contracts with it. */
@ForEachStrategy
// The test with the kill last: no other test needs the killed replica again.
@TestMethodOrder(MethodOrderer.MethodName.class)
class BrokerClientIT {
  @RegisterExtension
  static final PerStrategy<TestedCluster> GROUP =
      new PerStrategy<>(() -> new TestedCluster("broker", "NotificationBroker"), TestedCluster::down);

  private static List<String> program;

  @BeforeAll
  static void make() throws Exception {
    Path libraries = Path.of("cxf/target/classpath");
    if (!Files.exists(libraries)) {
      Workshop.unavailable("There is no " + libraries + "; run mvn package in interop/cxf.");
    }
    String classpath = Files.readString(libraries);
    Workshop shop = new Workshop("cxf");
    shop.run(Workshop.javac("-nowarn", "-cp", classpath, "-d", shop.path("classes").toString(),
        Workshop.source("cxf/Session.java").toString()));
    program = Workshop.java("-cp", shop.path("classes") + ":" + classpath, "Session");
  }

  @Test
  void cxfsClientCarriesOutItsSessionAtABackup() throws Exception {
    int backup = GROUP.get().awaitWhole() % TestedCluster.REPLICAS + 1;
    try (Session session = new Session(program, GROUP.get().wsdls(backup))) {
      session.await("busy");
      session.goOn();
      assertEquals(0, session.retriesAtTheEnd(), session::toString);
    }
  }

  @Test
  void cxfsClientCarriesOutItsSessionWhileThePrimaryOrSequencerIsKilled() throws Exception {
    int leader = GROUP.get().awaitWhole();
    try (Session session = new Session(program, GROUP.get().wsdls(leader))) {
      session.await("busy");
      GROUP.get().killLeader(leader);
      session.goOn();
      assertTrue(session.retriesAtTheEnd() > 0, () -> "The client was not at the killed replica:\n" + session);
    }
  }
}
