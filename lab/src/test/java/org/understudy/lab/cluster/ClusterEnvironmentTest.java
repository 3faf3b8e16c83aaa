package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterEnvironmentTest {
  @Test
  void optionsOfReplicasAreAddedToThoseOfTheCaller() {
    Map<String, String> environment = new HashMap<>(Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1", "PATH", "/bin"));
    Cluster.add(Map.of("JAVA_OPTS", "-Dhttp.threads=16", "SPREAD_DAEMON", "4803@localhost"), environment);
    assertEquals(
        Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1 -Dhttp.threads=16", "SPREAD_DAEMON", "4803@localhost", "PATH", "/bin"), environment);
  }

  @Test
  void aReplicaWithoutOptionsOfItsOwnHasThoseOfTheCaller() {
    Map<String, String> environment = new HashMap<>(Map.of("JAVA_OPTS", "-XX:TieredStopAtLevel=1"));
    Cluster.add(Map.of("JAVA_OPTS", ""), environment);
    assertEquals("-XX:TieredStopAtLevel=1", environment.get("JAVA_OPTS"));
  }
}
