package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** {@code scripts/cluster} as somebody at a terminal meets it. */
class ClusterIT {
  private static String port;

  private static Outcome cluster(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("../../scripts/cluster"));
    command.addAll(List.of(words));
    return Program.run(Path.of("."), Duration.ofMinutes(2), command);
  }

  @BeforeAll
  static void choosePort() throws Exception {
    port = Integer.toString(ClusterPorts.next());
  }

  /** What an earlier build has left at the port, with another strategy, would change what {@code up} prints. */
  @BeforeEach
  void removeEarlierGroup() throws Exception {
    down();
    Path group = Path.of("../../.cluster", port);
    if (Files.exists(group)) {
      try (Stream<Path> files = Files.walk(group)) {
        for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(file);
        }
      }
    }
  }

  @AfterEach
  void down() throws Exception {
    cluster("down", "--port", port);
  }

  @Test
  void aReplicaIsKilledPausedAndRestarted() throws Exception {
    Outcome up = cluster("up", "--port", port, "--replicas", "3", "--transfer", "call");
    assertEquals(0, up.status(), up.out());
    assertTrue(up.out().startsWith("Starting 3 replicas of counter (primary-backup, call)"), up.out());
    assertEquals(4, up.out().lines().filter(line -> line.matches("(id|\\d) .*")).count(), up.out());
    Cluster group = new Cluster(Path.of("../../scripts/cluster"), Integer.parseInt(port), 3);
    int primary = group.awaitWhole();
    assertTrue(status().matches("(?s).*\\n" + primary + " +\\d+ +http://127.0.0.1:" + (Integer.parseInt(port) + primary)
        + "/counter +primary +\\d+ +\\d+\\n.*"), status());

    Outcome again = cluster("up", "--port", port);
    assertEquals(1, again.status());
    assertTrue(again.out().contains("a group is up at port " + port + " already"), again.out());

    assertEquals(0, cluster("kill", "3", "--port", port).status());
    assertTrue(status().contains("dead"), status());
    assertEquals(1, cluster("kill", "3", "--port", port).status());
    assertEquals(0, cluster("pause", "2", "--port", port).status());
    assertTrue(status().contains("paused"), status());
    assertEquals(0, cluster("resume", "2", "--port", port).status());
    assertEquals(0, cluster("restart", "3", "--port", port).status());
    assertTrue(status().matches("(?s).*\\n3 +\\d+ +\\S+ +backup .*"), status());
    String log = cluster("logs", "3", "--port", port).out();
    assertTrue(log.contains("Connected to replica"), log);
    assertFalse(log.contains("TldScanner"), "Tomcat has scanned the jars, so it has not found catalina.properties: " + log);
    group.awaitWhole();
    assertFalse(status().contains("dead"), status());
  }

  private static String secret() throws IOException {
    Properties properties = new Properties();
    try (BufferedReader in = Files.newBufferedReader(Path.of("../../.cluster", port, "2", "conf", "understudy.properties"))) {
      properties.load(in);
    }
    return properties.getProperty("understudy.secret");
  }

  /** The journals know requests with a MessageID by a digest that contains it. */
  @Test
  void aGroupThatContinuesFromItsJournalsKeepsItsSecret() throws Exception {
    String[] up = {"up", "--port", port, "--replicas", "2", "--set", "understudy.journal=disk"};
    assertEquals(0, cluster(up).status());
    String first = secret();
    assertEquals(0, cluster("down", "--port", port).status());
    Outcome again = cluster(up);
    assertTrue(again.out().contains("The group continues from the journals"), again.out());
    assertEquals(first, secret());
    assertEquals(0, cluster("down", "--port", port).status());
    assertEquals(0, cluster("up", "--port", port, "--replicas", "2").status());
    assertNotEquals(first, secret());
  }

  /** And a record of another strategy is refused. */
  @Test
  void aReplicaOfStrategyGroupIsRestartedWithoutAMajority() throws Exception {
    Outcome up = cluster("up", "--port", port, "--strategy", "group");
    assertEquals(0, up.status(), up.out());
    assertEquals(1, up.out().lines().filter(line -> line.contains(" sequencer ")).count(), up.out());
    assertEquals(2, up.out().lines().filter(line -> line.contains(" member ")).count(), up.out());
    for (String replica : List.of("1", "2", "3")) {
      assertEquals(0, cluster("kill", replica, "--port", port).status());
    }
    Outcome first = cluster("restart", "1", "--port", port);
    assertEquals(0, first.status(), first.out());
    assertTrue(first.out().contains("It joins when a majority runs: now 1 of 3"), first.out());

    Path configuration = Path.of("../../.cluster/" + port + "/2/conf/understudy.properties");
    Files.writeString(configuration, "understudy.strategy=primary-backup\n", StandardOpenOption.APPEND);
    Outcome second = cluster("restart", "2", "--port", port);
    assertEquals(1, second.status(), second.out());
    assertTrue(second.out().contains("stored under the strategy group, but this replica is configured for the strategy"
        + " primary-backup"), second.out());
    assertTrue(second.out().contains("scripts/cluster down and up --strategy NAME do that"), second.out());
    assertEquals(1, second.out().lines().count(), second.out());
  }

  @Test
  void aGroupOverJGroupsIsKilledAndRestarted() throws Exception {
    Outcome up = cluster("up", "--port", port, "--strategy", "group", "--channel", "jgroups");
    assertEquals(0, up.status(), up.out());
    assertTrue(up.out().contains("Starting 3 replicas of counter (group, jgroups, socket)"), up.out());
    Cluster group = new Cluster(Path.of("../../scripts/cluster"), Integer.parseInt(port), 3);
    int sequencer = group.awaitWhole();
    assertEquals(0, cluster("kill", Integer.toString(sequencer), "--port", port).status());
    group.awaitFailover(sequencer);
    Outcome restart = cluster("restart", Integer.toString(sequencer), "--port", port);
    assertEquals(0, restart.status(), restart.out());
    group.awaitWhole();
    for (int replica = 1; replica <= 3; replica++) {
      String log = Files.readString(Path.of("../../.cluster", port, Integer.toString(replica), "logs", "replica.log"));
      assertTrue(log.contains("org.jgroups.JChannel"), log);
      assertFalse(log.contains("opens the group channel again"), log);
    }
  }

  private static String status() throws Exception {
    return cluster("status", "--port", port).out();
  }

  @Test
  void failedStartReportsTheReasonInOneLine() throws Exception {
    Path last = Files.createDirectories(Path.of("../../.cluster/" + port + "/1/conf"));
    Files.writeString(last.resolve("understudy.properties"), "understudy.strategy=group\n");
    Outcome up = cluster("up", "--port", port, "--replicas", "1", "--strategy", "none", "--set", "understudy.session.open=0");
    assertEquals(1, up.status());
    assertTrue(up.out().contains("Understudy does not start"), up.out());
    assertTrue(up.out().contains("understudy.session.open"), up.out());
    assertTrue(up.out().contains("had the strategy group. Its files are removed"), up.out());
    assertTrue(status().contains("dead"), "what up started has ended: " + status());
  }

  /** Not the first replica, for which up waits first. */
  @Test
  void aReplicaThatCannotStartEndsTheStartWithItsReason() throws Exception {
    int health = FreePorts.next();
    Outcome up = cluster("up", "--port", port, "--set", "understudy.health.address=127.0.0.1:" + health);
    assertEquals(1, up.status());
    assertTrue(up.out().contains("The health port cannot listen at /127.0.0.1:" + health), up.out());
    assertFalse(up.out().contains("is not ready"), up.out());
  }

  @Test
  void aWebArchiveFromElsewhereIsRun(@TempDir Path elsewhere) throws Exception {
    Path war = Files.copy(Path.of("../../services/counter/target/counter.war"), elsewhere.resolve("my-app.war"));
    Outcome up = cluster("up", "--port", port, "--war", war.toString());
    assertEquals(0, up.status(), up.out());
    assertTrue(up.out().contains("web archive:   " + war), up.out());
    assertTrue(up.out().contains("http://127.0.0.1:" + (Integer.parseInt(port) + 1) + "/my-app"), up.out());
    Cluster group = new Cluster(Path.of("../../scripts/cluster"), Integer.parseInt(port), 3, "my-app", "CounterService");
    int primary = group.awaitWhole();
    assertEquals(0, cluster("kill", Integer.toString(primary), "--port", port).status());
    group.awaitFailover(primary);
    assertEquals(0, cluster("restart", Integer.toString(primary), "--port", port).status());
    group.awaitWhole();
  }

  @Test
  void anInterruptedStartLeavesNothingRunning() throws Exception {
    try (Program up =
        Program.startMerged(Path.of("."), Duration.ofMinutes(2), List.of("../../scripts/cluster", "up", "--port", port))) {
      up.out().await("Replica 3 is starting");
      up.interrupt();
      Outcome ended = up.end();
      assertEquals(130, ended.status(), ended.out());
      assertTrue(ended.out().contains("all replicas are stopped"), ended.out());
    }
    assertEquals(3, status().lines().filter(line -> line.contains(" dead ")).count(), status());
  }

  @Test
  void invalidOptionsAreRefusedWithOneLine() throws Exception {
    assertTrue(cluster("--help").out().contains("scripts/cluster up"));
    refused("unknown option --bogus", "up", "--bogus");
    refused("unknown command fly", "fly");
    refused("--transfer is socket, call or notification, not pigeon", "up", "--port", port, "--transfer", "pigeon");
    refused("--replicas is a number from 1 to 9, not many", "up", "--port", port, "--replicas", "many");
    refused("unknown service nothing; the services are: broker counter", "up", "--port", port, "--service", "nothing");
    refused("unknown service counter-client", "up", "--port", port, "--service", "counter-client");
    refused("unknown service cart", "up", "--port", port, "--service", "cart");
    Path war = Files.createTempFile("plain", ".war");
    try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(war))) {
      zip.putNextEntry(new ZipEntry("WEB-INF/web.xml"));
      zip.closeEntry();
    }
    refused("does not contain the plugin", "up", "--port", port, "--war", war.toString());
    Files.delete(war);
    refused("there is no web archive " + war, "up", "--port", port, "--war", war.toString());
    refused("--service or --war, not both", "up", "--port", port, "--war", war.toString(), "--service", "counter");
    refused("/nowhere is not a Tomcat", "up", "--port", port, "--tomcat", "/nowhere");
    try (ServerSocket busy = new ServerSocket(Integer.parseInt(port) + 2, 1, InetAddress.getByName("127.0.0.1"))) {
      refused("port " + busy.getLocalPort() + " is in use", "up", "--port", port);
    }
  }

  private static void refused(String why, String... words) throws Exception {
    Outcome said = cluster(words);
    assertEquals(1, said.status(), said.out());
    assertTrue(said.out().contains(why), said.out());
    assertTrue(said.out().lines().count() <= 1, said.out());
  }
}
