package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Liveness while a single fault lasts: each link in each direction, each replica deaf, silent, mute or slow, and each clock
 * stopped. */
class StandingFaultTest {
  static Set<Map.Entry<String, List<String>>> scenarios() {
    return StandingFaults.scenarios().entrySet();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void updatesGoOn(Map.Entry<String, List<String>> scenario) {
    assertEquals(List.of(), Scenario.play(scenario.getValue(), new PrimaryBackup(), Rule.ALL));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void updatesOfAGroupGoOn(Map.Entry<String, List<String>> scenario) {
    assertEquals(List.of(), Scenario.play(scenario.getValue(), new GroupReplication(), Rule.ALL));
  }
}
