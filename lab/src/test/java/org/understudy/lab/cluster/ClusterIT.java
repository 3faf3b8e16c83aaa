package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code scripts/cluster} as somebody at a terminal meets it. */
class ClusterIT {
  private static final String PORT = "28580";

  private record Said(int status, String text) {}

  private static Said cluster(String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("../scripts/cluster"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(2, TimeUnit.MINUTES));
    return new Said(process.exitValue(), text);
  }

  @AfterEach
  void down() throws Exception {
    cluster("down", "--port", PORT);
  }

  @Test
  void aReplicaIsKilledPausedAndRestarted() throws Exception {
    Said up = cluster("up", "--port", PORT, "--replicas", "3", "--transfer", "call");
    assertEquals(0, up.status(), up.text());
    assertTrue(up.text().startsWith("Starting 3 replicas of counter (primary-backup, call)"), up.text());
    assertEquals(4, up.text().lines().filter(line -> line.matches("(id|\\d) .*")).count(), up.text());
    Cluster group = new Cluster(Path.of("../scripts/cluster"), Integer.parseInt(PORT), 3);
    int primary = group.awaitWhole();
    assertTrue(status().matches("(?s).*\\n" + primary + " +\\d+ +http://127.0.0.1:2858" + primary
        + "/counter +primary +\\d+ +\\d+\\n.*"), status());

    Said again = cluster("up", "--port", PORT);
    assertEquals(1, again.status());
    assertTrue(again.text().contains("a group is up at port " + PORT + " already"), again.text());

    assertEquals(0, cluster("kill", "3", "--port", PORT).status());
    assertTrue(status().contains("dead"), status());
    assertEquals(1, cluster("kill", "3", "--port", PORT).status());
    assertEquals(0, cluster("pause", "2", "--port", PORT).status());
    assertTrue(status().contains("paused"), status());
    assertEquals(0, cluster("resume", "2", "--port", PORT).status());
    assertEquals(0, cluster("restart", "3", "--port", PORT).status());
    assertTrue(cluster("logs", "3", "--port", PORT).text().contains("Connected to replica"));
    group.awaitWhole();
    assertFalse(status().contains("dead"), status());
  }

  private static String status() throws Exception {
    return cluster("status", "--port", PORT).text();
  }

  @Test
  void aReplicaThatCannotStartSaysWhyInOneLine() throws Exception {
    Said up = cluster("up", "--port", PORT, "--replicas", "1", "--strategy", "none", "--set", "understudy.session.open=0");
    assertEquals(1, up.status());
    assertTrue(up.text().contains("Understudy does not start"), up.text());
    assertTrue(up.text().contains("understudy.session.open"), up.text());
    assertTrue(status().contains("dead"), "what up started has ended: " + status());
  }

  @Test
  void whatMakesNoSenseIsRefusedWithOneLine() throws Exception {
    assertTrue(cluster("--help").text().contains("scripts/cluster up"));
    refused("there is no option --bogus", "up", "--bogus");
    refused("there is no command fly", "fly");
    refused("--transfer is socket, call or notification, not pigeon", "up", "--port", PORT, "--transfer", "pigeon");
    refused("--replicas is a number from 1 to 9, not many", "up", "--port", PORT, "--replicas", "many");
    refused("there is no service nothing; there are: broker counter", "up", "--port", PORT, "--service", "nothing");
    refused("there is no service counter-client", "up", "--port", PORT, "--service", "counter-client");
    refused("there is no Tomcat in /nowhere", "up", "--port", PORT, "--tomcat", "/nowhere");
    try (ServerSocket busy = new ServerSocket(Integer.parseInt(PORT) + 2, 1, InetAddress.getByName("127.0.0.1"))) {
      refused("port " + busy.getLocalPort() + " is in use", "up", "--port", PORT);
    }
  }

  private static void refused(String why, String... words) throws Exception {
    Said said = cluster(words);
    assertEquals(1, said.status(), said.text());
    assertTrue(said.text().contains(why), said.text());
    assertTrue(said.text().lines().count() <= 1, said.text());
  }
}
