package org.understudy.matchmaker.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.client.FaultTolerant;
import org.understudy.client.Transaction;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;

/** The mappings with a database server that all replicas use: the next primary finds there what the last one has committed. */
class DatabaseMatchmakerHttpTest {
  private static final String SERVICE = "/services/MatchmakerService";

  /** Strong references, because a garbage-collected logger loses its level. */
  private static final List<Logger> QUIET = Stream.of("org.flywaydb", "com.zaxxer").map(Logger::getLogger).toList();

  @TempDir static Path data;
  private static Server server;
  private static int port;

  @TempDir Path directory;

  @BeforeAll
  static void start() throws Exception {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
    port = FreePorts.next();
    server = Server.createTcpServer("-tcpPort", Integer.toString(port), "-ifNotExists", "-baseDir", data.toString()).start();
  }

  @AfterAll
  static void stop() {
    server.stop();
  }

  @ParameterizedTest
  @ValueSource(strings = {"pbdb", "db"})
  void committedAllocationsSurviveThePrimary(String mapping) throws Exception {
    Class<?> service = Class.forName("org.understudy.matchmaker." + mapping + ".MatchmakerService");
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/./" + mapping;
    Map<String, String> settings =
        Map.of(
            "understudy.strategy", "primary-backup", "understudy.group", mapping, "understudy.database.url", url,
            "understudy.database.user", "sa");
    try (TestCluster cluster = new TestCluster(directory, new DurableApplication(service), 3, settings)) {
      List<URI> replicas = IntStream.rangeClosed(1, 3).mapToObj(number -> cluster.uri(number, SERVICE)).toList();
      MatchmakerPortType matchmaker = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
      matchmaker.machineAdvertise("m1", 1_000, 512, 100, "10.0.0.1", "key-1", null);
      matchmaker.machineAdvertise("m2", 1_000, 512, 100, "10.0.0.2", "key-2", null);
      String first = submit(matchmaker, "a");
      assertFalse(isLastInOnePhase(url), "prepared in the log, because it publishes a message");
      int stopped = cluster.primary();
      cluster.stop(stopped);
      assertEquals(first, submit(matchmaker, "a"));
      assertNotEquals(first, submit(matchmaker, "b"));
      assertNull(matchmaker.jobSubmit("c", "ann", 500, 256, 10, 3));
      assertEquals(2, matchmaker.balance("ann"));
      matchmaker.release("a", "ann");
      assertEquals(first, submit(matchmaker, "c"));
      assertEquals(3, matchmaker.balance("ann"));
      matchmaker.release("c", "ann");
      try (Transaction aborted = Transaction.begin(matchmaker)) {
        assertEquals(first, submit(matchmaker, "d"));
        assertEquals(4, matchmaker.balance("ann"));
        matchmaker.release("d", "ann");
        submit(matchmaker, "e");
        assertEquals(3, bill(url, "ann"), "nothing is committed before the end: " + aborted.id());
      }
      assertEquals(3, matchmaker.balance("ann"));
      try (Transaction committed = Transaction.begin(matchmaker)) {
        submit(matchmaker, "f");
        matchmaker.release("f", "ann");
        assertEquals(first, submit(matchmaker, "g"));
        committed.commit();
      }
      assertEquals(5, bill(url, "ann"));
      cluster.start(stopped);
      cluster.awaitReady(stopped);
      cluster.stop(cluster.primary());
      assertEquals(5, matchmaker.balance("ann"));
      matchmaker.release("g", "ann");
      FaultTolerant.close(matchmaker);
      assertEquals(5, bill(url, "ann"), "in the database itself");
    }
  }

  /** Nothing but the row shows that the request was executed. */
  @Test
  void aRequestIsAnsweredFromItsRowWhenTheMemoryIsLost() throws Exception {
    String url = "jdbc:h2:tcp://127.0.0.1:" + port + "/./tally";
    try (Tally tally = Tally.of(directory, TallyService.class, 1, "none", url)) {
      String id = Tally.id();
      assertEquals(5, tally.sum(1, id, 5));
      assertTrue(isLastInOnePhase(url));
      tally.cluster().stop(1);
      tally.cluster().start(1);
      tally.cluster().awaitReady(1);
      assertEquals(5, tally.sum(1, id, 5));
      assertTrue(tally.add(1, id, 6).text().contains("DigestMismatch"));
      assertEquals(7, tally.sum(1, Tally.id(), 2));
    }
  }

  private static boolean isLastInOnePhase(String url) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "sa", "");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT MAX(log_index) FROM understudy_decision")) {
      row.next();
      return row.getLong(1) >= DecisionId.ONE_PHASE;
    }
  }

  private static long bill(String url, String client) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "sa", "");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT balance FROM bills WHERE clientId = '" + client + "'")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String submit(MatchmakerPortType matchmaker, String job) throws Exception {
    return matchmaker.jobSubmit(job, "ann", 500, 256, 10, 3).getResourceId();
  }
}
