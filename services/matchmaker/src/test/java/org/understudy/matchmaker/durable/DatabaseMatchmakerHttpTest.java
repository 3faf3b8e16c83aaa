package org.understudy.matchmaker.durable;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.h2.tools.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerant;
import org.understudy.matchmaker.MatchmakerPortType;
import org.understudy.test.cluster.TestCluster;

/** The Matchmaker with replicated machines, and accounts in a database server that all replicas use. */
class DatabaseMatchmakerHttpTest {
  private static final String SERVICE = "/services/MatchmakerService";

  @TempDir Path directory;

  @Test
  void machinesAndAccountsStayTogetherOverAFailover() throws Exception {
    Server server = Server.createTcpServer("-tcpPort", "0", "-ifNotExists", "-baseDir", directory.resolve("h2").toString()).start();
    String url = "jdbc:h2:tcp://127.0.0.1:" + server.getPort() + "/./bills";
    Map<String, String> settings =
        Map.of("understudy.strategy", "primary-backup", "understudy.database.url", url, "understudy.database.user", "sa");
    Class<?> service = Class.forName("org.understudy.matchmaker.pbdb.MatchmakerService");
    try (TestCluster cluster = new TestCluster(directory, new DurableApplication(service), 3, settings)) {
      List<URI> replicas = IntStream.rangeClosed(1, 3).mapToObj(number -> cluster.uri(number, SERVICE)).toList();
      MatchmakerPortType matchmaker = FaultTolerant.client(MatchmakerPortType.class, null, replicas);
      for (String id : List.of("m1", "m2", "m3")) {
        matchmaker.machineAdvertise(id, 1_000, 512, 100, "10.0.0.1", "key-" + id, null);
      }
      String first = submit(matchmaker, "a", "ann");
      submit(matchmaker, "b", "ann");
      cluster.stop(cluster.primary());
      assertEquals(first, submit(matchmaker, "a", "ann"), "the machines are replicated");
      assertEquals(2, matchmaker.balance("ann"), "the accounts are loaded from the database");
      submit(matchmaker, "c", "bob");
      assertEquals(1, matchmaker.balance("bob"));
      FaultTolerant.close(matchmaker);
      assertEquals(Map.of("ann", 2L, "bob", 1L), Map.of("ann", bill(url, "ann"), "bob", bill(url, "bob")));
    } finally {
      server.stop();
    }
  }

  private static long bill(String url, String client) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url, "sa", "");
        ResultSet row = connection.createStatement().executeQuery("SELECT balance FROM bills WHERE clientId = '" + client + "'")) {
      row.next();
      return row.getLong(1);
    }
  }

  private static String submit(MatchmakerPortType matchmaker, String job, String client) throws Exception {
    return matchmaker.jobSubmit(job, client, 500, 256, 10, 3).getResourceId();
  }
}
