package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.understudy.replication.core.Rule;
import org.understudy.replication.simulation.transaction.TransactionScenario;
import org.understudy.replication.simulation.transaction.TwoPhaseStep;

/**
 * The scenarios in {@code src/test/resources/transaction-scenarios}. The beginning of a file's name is the rule that it shows: a checker
 * reports a violation without it. Several seeds, so that nothing rests on the times that messages take.
 */
class TransactionScenarioTest {
  private static final RuleScenarios SCENARIOS = new RuleScenarios("transaction-scenarios", Rule.OF_TRANSACTIONS, 5);

  static List<Path> scenarios() throws IOException {
    return SCENARIOS.files();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("scenarios")
  void passesOnlyWithItsRule(Path scenario) throws IOException {
    SCENARIOS.assertPassesOnlyWithItsRule(scenario);
  }

  private static final String NOTHING = "# nothing";
  private static final String ASKS = "any commit of group 1 is lost";

  /** The story of the walk: a transaction that commits, whose outcome a participant asks for without a commit, and one that aborts. */
  private static List<String> story(String fault, String commit, String again) {
    return List.of(
        fault, "transaction T begins", "transaction T changes k0 in group 0", "transaction T changes k0 in group 1",
        "transaction T changes k0 in group 2", commit, "transaction T commits", "transaction T is answered",
        "800 ms pass", "messages arrive again", "1200 ms pass",
        again, "transaction U begins", "transaction U changes k1 in group 1", "transaction U changes k1 in group 2",
        "transaction U aborts", "500 ms pass");
  }

  private static Map<String, List<String>> stories() {
    Map<String, List<String>> stories = new LinkedHashMap<>();
    for (TwoPhaseStep step : TwoPhaseStep.values()) {
      if (step.isOfDatabase() || step.isOfMemory() || step.isOfOperator()) {
        continue;
      }
      for (String happens : List.of("dies before", "dies after", "is unheard in its group before", "is unheard in its group after")) {
        String fault = "the primary of group " + (step.isOfCoordinator() ? 0 : 1) + " " + happens + " its " + step;
        stories.put(fault, story(fault, ASKS, NOTHING));
      }
      if (!step.isEntry()) {
        String fault = "the " + step + " of group 1 is lost";
        boolean asks = step == TwoPhaseStep.QUESTION || step == TwoPhaseStep.STATUS;
        stories.put(fault, story(fault, asks ? ASKS : NOTHING, fault));
      }
    }
    return stories;
  }

  /** At every named moment once: the primary dies or is unheard, or the message is lost. */
  @Test
  void everyMomentOfTheTwoPhases() {
    Map<String, List<String>> violations = new ConcurrentSkipListMap<>();
    stories().entrySet().stream().parallel().forEach(story -> {
      for (int seed = 1; seed <= SCENARIOS.seeds(); seed++) {
        List<String> found = TransactionScenario.play(story.getValue(), seed, Rule.ALL);
        if (!found.isEmpty()) {
          violations.put(story.getKey() + ", seed " + seed, found);
        }
      }
    });
    assertEquals(new TreeMap<>(), new TreeMap<>(violations));
  }

  @Test
  void everyRuleHasItsScenario() throws IOException {
    SCENARIOS.assertEveryRuleHasOne();
  }

  @Test
  void deviationsAreDetected() {
    List<String> lines =
        List.of(
            "transaction T begins", "transaction T changes k0 in group 1", "the primary of group 2 dies after its vote",
            "transaction T commits", "transaction T is answered aborted");
    List<String> failures = TransactionScenario.play(lines, 1, Rule.ALL);
    assertEquals("expected: transaction T is answered aborted", failures.get(0));
    assertTrue(failures.get(1).startsWith("expected a moment that did not come"), failures::toString);
  }

  @Test
  void invalidLineIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> TransactionScenario.play(List.of("the primary sings"), 1, Rule.ALL));
  }
}
