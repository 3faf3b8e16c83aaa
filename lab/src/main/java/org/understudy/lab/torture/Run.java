package org.understudy.lab.torture;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.understudy.lab.torture.check.AuthorityChecker;
import org.understudy.lab.torture.check.Checks;
import org.understudy.lab.torture.check.Violation;
import org.understudy.lab.torture.client.Workload;
import org.understudy.lab.torture.fault.Fault;
import org.understudy.lab.torture.fault.FaultKind;
import org.understudy.lab.torture.fault.FaultRunner;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.HistoryFile;
import org.understudy.lab.torture.history.InjectedFault;
import org.understudy.lab.torture.history.WritableReport;
import org.understudy.lab.torture.network.DelayedLinks;
import org.understudy.lab.torture.network.LinkQuality;
import org.understudy.lab.torture.network.Machines;
import org.understudy.lab.torture.network.TestNetwork;
import org.understudy.lab.torture.replica.DatabaseProcess;
import org.understudy.lab.torture.replica.Installation;
import org.understudy.lab.torture.replica.Replicas;
import org.understudy.lab.torture.replica.SpreadDaemons;
import org.understudy.lab.torture.replica.WritableReports;

/** One run, within an enclosure: a group, clients, the faults of a plan, and the check. Used by one thread. */
final class Run {
  /** For a group on a busy machine to become whole after a fault. */
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  /** For all JVMs of a group, which start at once. */
  private static final Duration START = Duration.ofMinutes(3);
  /** A member that does not lead learns within the suspicion time, and that of its own attempt, that a view goes on without it. */
  private static final Duration LEARNS = Duration.ofSeconds(2);
  /** A group that has a majority and acknowledges nothing for so long is stuck. */
  private static final Duration STUCK = Duration.ofSeconds(10);

  private final Path folder;
  private final Settings settings;
  private final History history = new History();
  private final List<Violation> violations = new ArrayList<>();
  private final List<FaultRunner.Effect> effects = new ArrayList<>();

  /**
   * How a run is done.
   *
   * @param machines where all processes run
   * @param transacting how many of the clients run transactions
   * @param stateBytes that each counter has beside its value
   * @param seed of the clients' choices
   * @param spread whether each replica has a daemon of Spread
   * @param links what the links between replicas are like throughout
   * @param database where the counters are kept in a database; null without one
   * @param keys lines of understudy.properties
   */
  record Settings(Machines machines, int replicas, int clients, int transacting, int counters, int stateBytes, long seed, boolean spread,
      LinkQuality links, TortureCommand.Kept database, List<String> keys) {
    Settings {
      keys = List.copyOf(keys);
    }
  }

  /** @param folder for the files of the replicas and the history */
  Run(Path folder, Settings settings) {
    this.folder = folder;
    this.settings = settings;
  }

  /**
   * Starts the group, carries the plan out, and checks.
   *
   * @throws IOException when the network or the group cannot be started
   */
  Verdict run(Installation installation, List<Fault> plan) throws IOException, InterruptedException {
    Machines machines = settings.machines();
    TestNetwork network = machines.namespaced() ? TestNetwork.create(settings.replicas(), settings.database() != null) : null;
    say(network == null ? "No links are cut: all processes are at loopback addresses." : "Links are cut by " + network.filter() + ".");
    boolean standing = !settings.links().equals(LinkQuality.NONE);
    boolean delayed = standing || plan.stream().anyMatch(fault -> fault.kind() == FaultKind.DELAY);
    DelayedLinks links = delayed ? Replicas.delayedLinks(settings.replicas(), settings.seed(), settings.links()) : null;
    if (standing) {
      say("What replicas send to each other takes " + settings.links().describe() + ".");
    }
    Replicas replicas = new Replicas(settings.replicas(), machines, installation, folder, settings.keys(), delayed);
    if (settings.spread()) {
      SpreadDaemons.start(settings.replicas(), machines, folder);
    }
    DatabaseProcess database = settings.database() != null ? new DatabaseProcess(folder, machines) : null;
    if (database != null) {
      database.start();
    }
    for (int n = 1; n <= settings.replicas(); n++) {
      replicas.replica(n).start();
    }
    Map<Integer, String> missing = replicas.awaitWhole(START);
    if (!missing.isEmpty()) {
      throw new IOException("The group has not started after " + START.toSeconds() + " s: " + missing);
    }
    Workload workload =
        new Workload(replicas.services(delayed), settings.counters(), settings.stateBytes(), database != null, history);
    workload.start(settings.clients(), settings.transacting(), settings.seed());
    try (Delays delays = new Delays(history); WritableReports writable = new WritableReports(replicas, history)) {
      faults(plan, new FaultRunner(network, links, replicas, database, history), links, replicas, workload);
      for (String error : workload.stop()) {
        violations.add(new Violation("client", error));
      }
      for (String difference : database == null ? workload.differences() : unreadable(workload, database)) {
        violations.add(new Violation("convergence", difference + "."));
      }
      return verdict(delays, writable.reports());
    } finally {
      replicas.kill();
      if (database != null) {
        database.kill();
      }
    }
  }

  /** Reads rows, counters and rows again. One after another, so that none of them may show less than the one before it. */
  private List<String> unreadable(Workload workload, DatabaseProcess database) throws IOException, InterruptedException {
    long first = history.now();
    workload.recordRows(database.rows(), first);
    List<String> unreadable = workload.unreadable();
    long second = history.now();
    workload.recordRows(database.rows(), second);
    return unreadable;
  }

  private void faults(List<Fault> plan, FaultRunner runner, DelayedLinks links, Replicas replicas, Workload workload)
      throws IOException, InterruptedException {
    TimeUnit.SECONDS.sleep(1);
    int number = 0;
    for (Fault fault : plan) {
      number++;
      int primary = replicas.primary();
      int first = fault.first(primary);
      long bytes = links == null ? 0 : links.bytesTo(first);
      FaultRunner.Effect effect = runner.run(number, fault, primary);
      say(String.format("%6.1f s  fault %d/%d: %s", effect.from() / 1e9, number, plan.size(), effect.what()));
      Duration patience = FaultKind.OF_ALL_REPLICAS.contains(fault.kind()) ? START : PATIENCE;
      Map<Integer, String> missing = replicas.awaitWhole(patience);
      effects.add(missing.isEmpty() ? effect.wholeAt(history.now(), links == null ? 0 : links.bytesTo(first) - bytes) : effect);
      history.add(new InjectedFault(number, fault.kind().word(), first, primary,
          missing.isEmpty() ? replicas.primary() : 0, effect.from(), effect.to()));
      if (!missing.isEmpty()) {
        violations.add(new Violation("convergence", "The group is not whole " + patience.toSeconds() + " s after fault " + number
            + " was undone: " + missing));
        return;
      }
      boolean acknowledges = acknowledges(history.now(), workload);
      if (workload.failed()) {
        // Its clients are too few now, and their errors say why.
        return;
      }
      if (!acknowledges) {
        violations.add(new Violation("progress", "No update that began after fault " + number + " was undone and all replicas were in one "
            + "view has been acknowledged for " + PATIENCE.toSeconds() + " s."));
        return;
      }
      TimeUnit.NANOSECONDS.sleep(fault.quiet().toNanos());
    }
  }

  /** Waits for an update that begins after this time and is acknowledged, as long as no client has ended. */
  private boolean acknowledges(long time, Workload workload) throws InterruptedException {
    long end = time + PATIENCE.toNanos();
    while (!history.acknowledgedSince(time)) {
      if (history.now() > end || workload.failed()) {
        return false;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return true;
  }

  private Verdict verdict(Delays delays, List<WritableReport> writable) throws IOException {
    History.Recorded recorded = history.recorded();
    HistoryFile.write(folder.resolve(RunFolder.HISTORY), recorded);
    violations.addAll(Checks.check(recorded, settings.database() == TortureCommand.Kept.ONLY));
    boolean led = !settings.keys().contains("understudy.strategy=group");
    violations.addAll(AuthorityChecker.check(writable, led ? 0 : LEARNS.toNanos()));
    Progress progress = new Progress(recorded);
    for (int i = 0; i < effects.size(); i++) {
      FaultRunner.Effect effect = effects.get(i);
      long silence = progress.longestSilence(effect.from(), effect.to());
      if (effect.live() && silence > STUCK.toNanos() && !delays.within(effect.from(), effect.to())) {
        violations.add(new Violation("progress", String.format("No update was acknowledged for %.1f s during fault %d (%s), although a"
            + " majority could meet.", silence / 1e9, i + 1, effect.what())));
      }
    }
    return new Verdict(recorded, effects, writable.size(), delays.count(), violations);
  }

  private static void say(String what) {
    System.err.println(what);
  }
}
