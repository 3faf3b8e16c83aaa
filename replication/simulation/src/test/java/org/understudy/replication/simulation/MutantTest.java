package org.understudy.replication.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** The net has no holes: without any one rule of the protocol, a checker notices. */
class MutantTest {
  private static final int MAX_SEEDS = 10_000;
  /** Of rules that few seeds need. */
  private static final Map<Rule, Integer> KNOWN =
      Map.of(
          Rule.VIEW_NAMES_LIVES, 2_100, Rule.WRITABLE_WITH_MAJORITY, 856, Rule.READ_UNDER_LEASE, 800, Rule.LEASE_HOLDS_PROMISES, 333,
          Rule.EMPTY_DISK_HAS_NO_VOTE, 117, Rule.IDENTITY_OUTLIVES_REPLY, 112);

  @Test
  void everyMutantIsCaught() {
    List<Rule> survivors =
        Arrays.stream(Rule.values())
            .filter(rule -> !Rule.OF_GROUP.contains(rule) && !Rule.OF_CHANNEL.contains(rule))
            .filter(rule -> !Rule.OF_JOURNAL.contains(rule) && !Rule.OF_DATABASE.contains(rule))
            .filter(rule -> !Rule.OF_TRANSACTIONS.contains(rule) && !Rule.OF_BRANCHES.contains(rule))
            .filter(rule -> !Rule.OF_SLOW_LINKS.contains(rule))
            .parallel()
            .filter(rule -> !caught(rule))
            .toList();
    assertEquals(List.of(), survivors, "mutants that no checker noticed in " + MAX_SEEDS + " seeds each");
  }

  /** Rules that scenarios show: without one, a scenario does not end as told. */
  private static final Set<Rule> IN_SCENARIOS = EnumSet.range(Rule.CLOCK_JUMP_VOIDS_LEASE, Rule.QUARANTINE_FLAPPING);

  static {
    IN_SCENARIOS.add(Rule.READS_KEEP_SESSIONS);
    IN_SCENARIOS.add(Rule.ACTIVITY_IS_REPORTED_IN_TIME);
    IN_SCENARIOS.add(Rule.RUNS_KEEP_SESSIONS);
    IN_SCENARIOS.add(Rule.OUTAGES_KEEP_SESSIONS);
    IN_SCENARIOS.add(Rule.READS_SEE_ONE_STATE);
    IN_SCENARIOS.add(Rule.HANDLES_ASCEND);
    IN_SCENARIOS.add(Rule.GIVEN_UP_FREES_PLACE);
    IN_SCENARIOS.add(Rule.LEFT_WORK_COMES_FIRST);
    IN_SCENARIOS.add(Rule.REPLICA_LISTS_AGREE);
  }

  private static String failedScenario(Rule rule) {
    Map<String, List<String>> scenarios = new LinkedHashMap<>(StandingFaults.scenarios());
    try {
      for (Path story : ScenarioTest.stories()) {
        scenarios.put(story.getFileName().toString(), Files.readAllLines(story));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    for (Map.Entry<String, List<String>> scenario : scenarios.entrySet()) {
      if (!Scenario.play(scenario.getValue(), new PrimaryBackup(), Rule.allBut(rule)).isEmpty()) {
        return scenario.getKey();
      }
    }
    return null;
  }

  private static boolean caught(Rule rule) {
    String scenario = IN_SCENARIOS.contains(rule) ? failedScenario(rule) : null;
    if (scenario != null) {
      System.out.printf("without %-26s caught by %s%n", rule, scenario);
      return true;
    }
    OptionalLong caught = MutantSeeds.of(KNOWN.get(rule), MAX_SEEDS).filter(seed -> violation(seed, Rule.allBut(rule)) != null).findFirst();
    caught.ifPresent(seed -> {
      assertNull(violation(seed, Rule.ALL), "seed " + seed + " violates with all rules in force");
      System.out.printf("without %-26s caught by %-18s at seed %,5d%n", rule, violation(seed, Rule.allBut(rule)), seed);
    });
    return caught.isPresent();
  }

  private static String violation(long seed, Set<Rule> rules) {
    try {
      List<String> violations = new Simulation(seed, 3, new PrimaryBackup(), rules).run();
      return violations.isEmpty() ? null : violations.get(0).substring(0, violations.get(0).indexOf(':'));
    } catch (RuntimeException e) {
      return "a broken invariant";
    }
  }
}
