package org.understudy.replication.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.group.DelegationPolicy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/**
 * Runs seeds from the command line: {@code Simulate FIRST LAST [REPLICAS [DROPPED_RULE]]}. The system property
 * {@code understudy.strategy} chooses {@code group} instead of {@code primary-backup}; {@code understudy.channel}, with any value but
 * {@code log}, gives the group a channel; {@code understudy.delegations=eager} lets its sequencer delegate the order whenever it may;
 * {@code understudy.delay.ms} makes links between replicas long, uneven or narrow, with delays of up to so much;
 * {@code understudy.journal=disk} gives the replicas journals; {@code understudy.database=true} gives the service state in a database,
 * {@code only} all state of some resources.
 */
public final class Simulate {
  private static final int SEEDS_PER_LINE = 1_000;

  private Simulate() {}

  private static Simulation simulation(long seed, int size, Set<Rule> rules) {
    Simulation simulation = new Simulation(seed, size, strategy(), rules);
    String database = System.getProperty("understudy.database", "");
    if (database.equals("only")) {
      simulation.withDatabase("shared0", "shared1");
    } else if (database.equals("true")) {
      simulation.withDatabase();
    }
    if (System.getProperty("understudy.journal", "none").equals("disk")) {
      simulation.withJournals();
    }
    long delay = Long.getLong("understudy.delay.ms", 0);
    if (delay > 0) {
      simulation.withSlowLinks(delay);
    }
    return System.getProperty("understudy.channel", "log").equals("log") ? simulation : simulation.withGroupChannel();
  }

  private static ReplicationStrategy strategy() {
    boolean group = System.getProperty("understudy.strategy", "").equals("group");
    boolean eager = System.getProperty("understudy.delegations", "").equals("eager");
    return group ? new GroupReplication(eager ? DelegationPolicy.EAGER : DelegationPolicy.DEFAULT) : new PrimaryBackup();
  }

  public static void main(String[] arguments) {
    if (arguments.length == 1 && Files.isRegularFile(Path.of(arguments[0]))) {
      System.exit(play(Path.of(arguments[0])) ? 0 : 1);
    }
    if (arguments.length < 2 || arguments.length > 4) {
      System.out.println("Runs histories of a replicated group, one per seed, and prints the violations;\n"
          + "for a single seed or a scenario, prints every event.\n"
          + "usage: Simulate FIRST_SEED LAST_SEED [REPLICAS [DROPPED_RULE]]\n"
          + "       Simulate SCENARIO_FILE");
      System.exit(2);
    }
    try {
      int size = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
      Set<Rule> rules = arguments.length > 3 ? Rule.allBut(rule(arguments[3])) : Rule.ALL;
      long first = Long.parseLong(arguments[0]);
      long last = Long.parseLong(arguments[1]);
      boolean good = first == last ? trace(first, size, rules) : run(first, last, size, rules);
      System.exit(good ? 0 : 1);
    } catch (NumberFormatException e) {
      System.out.println("A seed and a number of replicas are whole numbers: " + e.getMessage() + ".");
      System.exit(2);
    }
  }

  private static Rule rule(String name) {
    try {
      return Rule.valueOf(name);
    } catch (IllegalArgumentException e) {
      System.out.println("There is no rule " + name + ". The class Rule lists them.");
      System.exit(2);
      throw e;
    }
  }

  private static boolean play(Path scenario) {
    List<String> failures;
    try {
      failures = Scenario.play(Files.readAllLines(scenario), strategy(), Rule.ALL, System.out);
    } catch (IOException e) {
      throw new UncheckedIOException("The scenario " + scenario + " cannot be read.", e);
    }
    failures.forEach(System.out::println);
    System.out.println(failures.isEmpty() ? "The scenario passes." : "The scenario fails.");
    return failures.isEmpty();
  }

  private static boolean trace(long seed, int size, Set<Rule> rules) {
    List<String> violations = simulation(seed, size, rules).traceTo(System.out).run();
    violations.forEach(System.out::println);
    System.out.println(violations.size() + " violations in seed " + seed);
    return violations.isEmpty();
  }

  private static boolean run(long first, long last, int size, Set<Rule> rules) {
    Campaign campaign = new Campaign(size + " replicas", seed -> simulation(seed, size, rules));
    boolean well = new CampaignReport(campaign, seed -> replay(seed, size, rules), System.out).run(first, last, SEEDS_PER_LINE);
    System.out.println(campaign.faults());
    return well;
  }

  /** The command that runs a seed again with its trace. */
  static String replay(long seed, int size, Set<Rule> rules) {
    StringBuilder dropped = new StringBuilder();
    for (Rule rule : Rule.values()) {
      dropped.append(rules.contains(rule) ? "" : " " + rule);
    }
    return "scripts/simulate " + seed + " " + seed + " " + size + dropped;
  }
}
