package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.GroupReplication;

/**
 * The scenarios that docs/design/group.md names for the paper's gaps. Each passes with all rules, and without its rule a checker reports a
 * violation; an expectation of the scenario that is not met does not count. Several seeds, because whether copies of a request meet
 * rests on the times that messages take.
 */
class GroupRuleScenarioTest {
  private static final int SEEDS = 10;

  private static final Map<Rule, String> SCENARIOS =
      new EnumMap<>(
          Map.of(
              Rule.CERTIFY_EVERY_VERSION, "group-scenarios/lost-update.txt",
              Rule.DUPLICATES_GET_STORED_ANSWER, "group-scenarios/duplicate-at-every-replica.txt",
              Rule.FIRST_REQUEST_IS_CHECKED, "group-scenarios/first-request-at-every-replica.txt",
              Rule.OLD_REQUESTS_ARE_ANSWERED, "group-scenarios/old-request.txt",
              Rule.PROPOSE_ONLY_THE_LOST_AGAIN, "group-scenarios/placed-before-the-sequencer-dies.txt",
              Rule.TURN_AFTER_REFUSALS, "group-scenarios/hot-resource.txt",
              Rule.PROPOSED_IS_NOT_REFUSED, "group-scenarios/proposed-in-a-minority.txt",
              Rule.DELIVERY_IS_NO_ACKNOWLEDGEMENT, "channel-scenarios/late-content.txt"));

  static Set<Rule> rules() {
    return SCENARIOS.keySet();
  }

  @ParameterizedTest
  @MethodSource("rules")
  void aCheckerReportsAViolationWithoutTheRule(Rule rule) throws IOException {
    List<String> lines = Files.readAllLines(Path.of("src/test/resources", SCENARIOS.get(rule)));
    int caught = 0;
    for (int seed = 1; seed <= SEEDS; seed++) {
      assertEquals(List.of(), Scenario.play(lines, seed, new GroupReplication(), Rule.ALL), "seed " + seed);
      caught += Scenario.violations(lines, seed, new GroupReplication(), Rule.allBut(rule)).isEmpty() ? 0 : 1;
    }
    System.out.printf("group without %-28s caught in %s with %d of %d seeds%n", rule, SCENARIOS.get(rule), caught, SEEDS);
    assertTrue(caught > 0, "no checker reports a violation without " + rule);
  }

  /** The page names them. */
  @ParameterizedTest
  @MethodSource("rules")
  void thePageNamesTheScenario(Rule rule) throws IOException {
    String file = Path.of(SCENARIOS.get(rule)).getFileName().toString();
    List<String> rows =
        Files.readAllLines(Path.of("../../docs/design/group.md")).stream()
            .filter(line -> line.startsWith("|") && line.contains("`" + rule + "`") && line.contains("`" + file + "`")).toList();
    assertEquals(1, rows.size(), rule + " and " + file);
  }
}
