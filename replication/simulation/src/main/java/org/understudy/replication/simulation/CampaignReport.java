package org.understudy.replication.simulation;

import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Runs many seeds, and prints progress and violations from time to time. */
public final class CampaignReport {
  private final Campaign campaign;
  private final LongFunction<String> replay;
  private final PrintStream out;

  /** @param replay the command that runs one seed again with its trace */
  public CampaignReport(Campaign campaign, LongFunction<String> replay, PrintStream out) {
    this.campaign = campaign;
    this.replay = replay;
    this.out = out;
  }

  /**
   * Blocks until the seeds from the first to the last have run.
   *
   * @param step seeds for each line
   * @return whether there was no violation
   */
  public boolean run(long first, long last, int step) {
    int printed = 0;
    for (long from = first; from <= last; from += step) {
      long to = Math.min(last, from + step - 1);
      campaign.run(from, to);
      List<Map.Entry<Long, List<String>>> found = List.copyOf(campaign.violations().entrySet());
      for (Map.Entry<Long, List<String>> one : found.subList(printed, found.size())) {
        out.println("seed " + one.getKey() + ": " + one.getValue().size() + " violations, first " + one.getValue().get(0)
            + "\n  replay: " + replay.apply(one.getKey()));
      }
      printed = found.size();
      out.println("up to seed " + to + ", " + campaign.progress());
    }
    return campaign.violations().isEmpty();
  }
}
