package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.understudy.replication.core.Rule;
import org.understudy.replication.simulation.transaction.TransactionScenario;

/**
 * Scenarios of transactions that each show a rule: a checker reports a violation without it. The beginning of a file's name is the rule.
 *
 * @param directory below {@code src/test/resources}
 * @param rules that have to be shown
 * @param seeds that each scenario is played with, so that nothing rests on the times that messages take
 */
record RuleScenarios(String directory, Set<Rule> rules, int seeds) {
  List<Path> files() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("src/test/resources", directory))) {
      return files.sorted().toList();
    }
  }

  private Rule ruleOf(Path scenario) {
    String name = scenario.getFileName().toString().toUpperCase(Locale.ROOT).replace('-', '_');
    return rules.stream().filter(rule -> name.startsWith(rule.name())).findFirst().orElseThrow();
  }

  void assertPassesOnlyWithItsRule(Path scenario) throws IOException {
    List<String> lines = Files.readAllLines(scenario);
    Set<Rule> others = Rule.allBut(ruleOf(scenario));
    for (int seed = 1; seed <= seeds; seed++) {
      assertEquals(List.of(), TransactionScenario.play(lines, seed, Rule.ALL), "seed " + seed);
      List<String> violations =
          TransactionScenario.play(lines, seed, others).stream().filter(line -> !line.startsWith("expected")).toList();
      assertFalse(violations.isEmpty(), "seed " + seed + ": no checker reports a violation without " + ruleOf(scenario));
    }
  }

  void assertEveryRuleHasOne() throws IOException {
    Set<Rule> shown = EnumSet.noneOf(Rule.class);
    files().forEach(scenario -> shown.add(ruleOf(scenario)));
    assertEquals(rules, shown);
  }
}
