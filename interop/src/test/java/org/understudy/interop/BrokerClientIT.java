package org.understudy.interop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.understudy.lab.cluster.Cluster;

/** A whole session with the broker by CXF's own client of WS-Notification, which brings its contracts with it. */
class BrokerClientIT {
  private static final int REPLICAS = 3;
  private static final Cluster GROUP =
      new Cluster(Path.of("../scripts/cluster"), 28_740, REPLICAS, "broker", "NotificationBroker");
  private static List<String> program;

  @BeforeAll
  static void up() throws Exception {
    Path libraries = Path.of("cxf/target/classpath");
    if (!Files.exists(libraries)) {
      Workshop.unavailable("There is no " + libraries + "; run mvn package in interop/cxf.");
    }
    String classpath = Files.readString(libraries);
    Workshop shop = new Workshop("cxf");
    shop.run(Workshop.java("javac"), "-nowarn", "-cp", classpath, "-d", shop.path("classes").toString(),
        Workshop.source("cxf/Session.java").toString());
    program = List.of(Workshop.java("java"), "-cp", shop.path("classes") + ":" + classpath, "Session");
    GROUP.run("up", "--service", "broker", "--replicas", Integer.toString(REPLICAS));
  }

  @AfterAll
  static void down() throws Exception {
    if (program != null) {
      GROUP.run("down");
    }
  }

  private static Session start(int first) throws Exception {
    return new Session(program, IntStream.range(0, REPLICAS)
        .mapToObj(i -> GROUP.services().get((first - 1 + i) % REPLICAS) + "?wsdl").toList());
  }

  @Test
  void cxfsClientCarriesOutItsSessionAtABackup() throws Exception {
    int backup = GROUP.awaitWhole() % REPLICAS + 1;
    try (Session session = start(backup)) {
      session.await("busy");
      session.goOn();
      assertEquals(0, session.retriesAtTheEnd(), session::toString);
    }
  }

  @Test
  void cxfsClientCarriesOutItsSessionWhileThePrimaryIsKilled() throws Exception {
    int primary = GROUP.awaitWhole();
    try (Session session = start(primary)) {
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
