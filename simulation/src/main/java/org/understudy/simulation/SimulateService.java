package org.understudy.simulation;

import java.util.List;
import org.understudy.replication.core.ReplicationStrategy;
import org.understudy.replication.core.group.GroupReplication;
import org.understudy.replication.core.primarybackup.PrimaryBackup;
import org.understudy.replication.simulation.Campaign;
import org.understudy.replication.simulation.CampaignReport;

/** Runs seeds from the command line: {@code SimulateService FIRST LAST [REPLICAS [MUTANT]]}. */
public final class SimulateService {
  private static final int SEEDS_PER_LINE = 100;

  private SimulateService() {}

  public static void main(String[] arguments) {
    if (arguments.length < 2 || arguments.length > 4) {
      System.out.println("Runs histories of a service and its clients, one per seed, and prints the violations;\n"
          + "for a single seed, prints every event.\n"
          + "usage: SimulateService FIRST_SEED LAST_SEED [REPLICAS [MUTANT]]");
      System.exit(2);
    }
    long first = Long.parseLong(arguments[0]);
    long last = Long.parseLong(arguments[1]);
    int size = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 3;
    Mutant mutant = arguments.length > 3 ? Mutant.valueOf(arguments[3]) : Mutant.NONE;
    System.exit((first == last ? trace(first, size, mutant) : run(first, last, size, mutant)) ? 0 : 1);
  }

  private static boolean trace(long seed, int size, Mutant mutant) {
    List<String> violations = new ServiceSimulation(seed, size, strategy(), mutant).traceTo(System.out).run();
    violations.forEach(System.out::println);
    System.out.println(violations.size() + " violations in seed " + seed);
    return violations.isEmpty();
  }

  private static boolean run(long first, long last, int size, Mutant mutant) {
    Campaign campaign = campaign(size, strategy(), mutant);
    boolean well =
        new CampaignReport(campaign, seed -> replay(seed, size, strategy(), mutant), System.out).run(first, last, SEEDS_PER_LINE);
    System.out.println(campaign.counts());
    System.out.println(campaign.faults());
    return well;
  }

  /** That of {@code scripts/simulate --group}, or primary-backup. */
  private static ReplicationStrategy strategy() {
    return System.getProperty("understudy.strategy", "").equals("group") ? new GroupReplication() : new PrimaryBackup();
  }

  static Campaign campaign(int size, ReplicationStrategy strategy, Mutant mutant) {
    return new Campaign(
        "service on " + size + " replicas, " + strategy.name(), seed -> new ServiceSimulation(seed, size, strategy, mutant));
  }

  /** The command that runs a seed again with its trace. */
  static String replay(long seed, int size, ReplicationStrategy strategy, Mutant mutant) {
    return "scripts/simulate " + (strategy instanceof GroupReplication ? "--group " : "") + "--service " + seed + " " + seed + " " + size
        + (mutant == Mutant.NONE ? "" : " " + mutant);
  }
}
