package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** {@code scripts/cluster} where the language of the user is not English. */
class ClusterLocaleIT {
  private static final List<String> ONE = List.of("--replicas", "1", "--strategy", "none");

  @TempDir Path directory;
  private int port;

  @BeforeEach
  void choosePort() throws Exception {
    port = ClusterPorts.next();
  }

  @AfterEach
  void down() throws Exception {
    cluster(List.of(), List.of("down"));
  }

  private Outcome cluster(List<String> environment, List<String> words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("env"));
    command.addAll(environment);
    command.addAll(List.of("../../scripts/cluster", "--port", Integer.toString(port)));
    command.addAll(words);
    return Program.run(Path.of("."), Duration.ofMinutes(2), command);
  }

  private static List<String> up(String... more) {
    List<String> words = new ArrayList<>(List.of("up"));
    words.addAll(ONE);
    words.addAll(List.of(more));
    return words;
  }

  /** There, the range from a to z is without i, and PRIMARY in small letters has another one. */
  @Test
  void namesAndRolesAreThoseOfEnglishInTurkish() throws Exception {
    Outcome made;
    try {
      made = Program.run(directory, Duration.ofMinutes(1), List.of("localedef", "-i", "tr_TR", "-f", "UTF-8", "./tr_TR.UTF-8"));
    } catch (IOException e) {
      made = new Outcome(1, e.getMessage(), "");
    }
    assumeTrue(made.status() == 0, "localedef makes no Turkish locale here: " + made.out());
    List<String> turkish = List.of("LOCPATH=" + directory, "LC_ALL=tr_TR.UTF-8");
    Path war = Files.copy(Path.of("../../services/counter/target/counter.war"), directory.resolve("inventory.war"));
    Outcome up = cluster(turkish, up("--war", war.toString()));
    assertEquals(0, up.status(), up.out());
    assertTrue(up.out().matches("(?s).*\n1 +\\d+ +http://127.0.0.1:" + (port + 1) + "/inventory +primary .*"), up.out());
  }

  /** It reads the replicas' logs, in which Tomcat uses the language of the JVM. */
  @Test
  void aPortThatCannotBeOpenedIsNamedInFrench() throws Exception {
    try (Socket bound = new Socket()) {
      // It does not listen, so the script does not see it before the replica does.
      bound.bind(new InetSocketAddress("127.0.0.1", port + 1));
      Outcome up = cluster(List.of("JDK_JAVA_OPTIONS=-Duser.language=fr"), up());
      assertEquals(1, up.status(), up.out());
      assertTrue(up.out().contains("replica 1 cannot open port " + (port + 1)), up.out());
    }
  }
}
