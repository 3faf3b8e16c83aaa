package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.primarybackup.PrimaryBackup;

/** Runs seeds from the command line: {@code Simulate FIRST LAST [REPLICAS [DROPPED_RULE]]}. */
public final class Simulate {
  private Simulate() {}

  public static void main(String[] arguments) {
    if (arguments.length < 2) {
      System.out.println("Runs histories of a replicated group, one a seed, and prints what they violate;\n"
          + "of a single seed, all that happens.\n"
          + "usage: Simulate FIRST_SEED LAST_SEED [REPLICAS [DROPPED_RULE]]");
      System.exit(2);
    }
    int size = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
    Set<Rule> rules = arguments.length > 3 ? Rule.allBut(Rule.valueOf(arguments[3])) : Rule.ALL;
    long first = Long.parseLong(arguments[0]);
    long last = Long.parseLong(arguments[1]);
    PrintStream trace = first == last ? System.out : null;
    long bad = 0;
    for (long seed = first; seed <= last; seed++) {
      List<String> violations;
      try {
        violations = new Simulation(seed, size, new PrimaryBackup(), rules).traceTo(trace).run();
      } catch (RuntimeException e) {
        e.printStackTrace(System.out);
        violations = List.of("crash: " + e);
      }
      if (!violations.isEmpty()) {
        bad++;
        System.out.println("seed " + seed + ": " + violations.size() + " violations, first " + violations.get(0));
      }
    }
    System.out.println(bad + " seeds with violations");
    System.exit(bad == 0 ? 0 : 1);
  }
}
