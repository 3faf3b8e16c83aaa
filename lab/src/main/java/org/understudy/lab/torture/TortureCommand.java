package org.understudy.lab.torture;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.torture.check.Checks;
import org.understudy.lab.torture.fault.Fault;
import org.understudy.lab.torture.fault.FaultKind;
import org.understudy.lab.torture.fault.FaultPlan;
import org.understudy.lab.torture.history.History;
import org.understudy.lab.torture.history.HistoryFile;
import org.understudy.lab.torture.network.Enclosure;
import org.understudy.lab.torture.network.LinkQuality;
import org.understudy.lab.torture.network.Machines;
import org.understudy.lab.torture.replica.ChannelSettings;
import org.understudy.lab.torture.replica.DatabaseProcess;
import org.understudy.lab.torture.replica.Installation;
import org.understudy.lab.torture.replica.SpreadDaemons;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** Starts a group in network namespaces, causes faults while clients use it, and checks their history. */
@Command(
    name = "scripts/torture",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Runs a group of replicas in network namespaces of its own, partitions, pauses, kills and slows them one fault after another "
          + "while clients use a few counters together, and checks what the clients saw: updates and linearizable reads are "
          + "linearizable, session reads never go back, local reads show values that were, each acknowledged update is executed "
          + "exactly once, a transaction takes effect as a whole or not at all and its outcome is the same in all answers, a minority "
          + "acknowledges nothing, and at the end all replicas are equal.",
      "With --database, the rows are checked too, and faults of the database server are among the others.",
      "Needs root, or --loopback. Ends with status 0 and PASS, 1 and FAIL, or 2 if it cannot run here. docs/torture.md explains the "
          + "output."
    })
public final class TortureCommand implements Callable<Integer> {
  private static final int MIN_REPLICAS = 3;
  private static final int MAX_REPLICAS = 9;
  private static final int MAX_CLIENTS = 50;
  private static final int DEFAULT_TRANSACTIONS_PERCENT = 50;
  /** Three of them and what else a transaction changes are less than understudy.transaction.bytes. */
  private static final int MAX_TRANSACTED_STATE_BYTES = 100_000;
  /** A transaction that its client has left keeps others waiting for less than what counts as no progress. */
  private static final int TRANSACTION_LIFETIME_MS = 3_000;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(names = "--seed", defaultValue = "1", description = "Fixes the plan of faults (default ${DEFAULT-VALUE}).")
  private long seed;

  @Option(
      names = "--minutes",
      defaultValue = "3",
      description = "Time for the plan, above 0 to 1440 (default ${DEFAULT-VALUE}).")
  private double minutes;

  @Option(
      names = "--strategy",
      defaultValue = "primary-backup",
      description = "Strategy of the group: group or primary-backup (default ${DEFAULT-VALUE}).")
  private String strategy;

  @Option(names = "--channel", description = "Group channel: log, jgroups or spread (default: that of the strategy).")
  private String channel;

  @Option(
      names = "--database",
      paramLabel = "WHERE",
      description = "Keeps the counters in a database server: ONLY there, or in BOTH the server and the memory of all replicas.")
  private Kept database;

  @Option(
      names = "--replicas",
      defaultValue = "3",
      description = "Replicas, 3 to 9 (default ${DEFAULT-VALUE}).")
  private int replicas;

  @Option(
      names = "--clients",
      defaultValue = "8",
      description = "Clients, 2 to 50, half of them with the stub (default ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--resources",
      defaultValue = "3",
      description = "Counters that the clients share, 1 to 100 (default ${DEFAULT-VALUE}).")
  private int counters;

  @Option(
      names = "--state-bytes",
      defaultValue = "0",
      description = "State that each counter has beside its value, and that each update replicates anew, 0 to 8000000 "
          + "(default ${DEFAULT-VALUE}); above 100000 without transactions, whose changes are limited to 1 MB.")
  private int stateBytes;

  @Option(
      names = "--transactions",
      paramLabel = "PERCENT",
      description = "Share of the clients that run transactions over two or three counters in place of updates, 0 to 100 (default: 50 with "
          + "primary-backup; group has no transactions).")
  private Integer transactions;

  @Option(
      names = "--loopback",
      description = "Runs everything at loopback addresses, without root and network namespaces: only faults that kill and stop processes.")
  private boolean loopback;

  @Option(
      names = "--delay",
      paramLabel = "MS[,MS[,tail]]",
      defaultValue = "0",
      converter = DelayText.class,
      description = "What replicas send to each other takes as many ms in each direction throughout, and up to the second number more; "
          + "with tail mostly less than that, and sometimes several times as much (default ${DEFAULT-VALUE}). Round trips above half of "
          + "understudy.suspect.ms are suspected.")
  private LinkQuality delay;

  @Option(
      names = "--rate",
      paramLabel = "KBIT",
      defaultValue = "0",
      description = "Bandwidth of each link between two replicas in each direction, in kbit/s, 0 to 1000000 (default: 0, no limit).")
  private int rate;

  @Option(
      names = "--faults",
      split = ",",
      converter = KindNames.class,
      description = "Kinds of faults to choose from: ${COMPLETION-CANDIDATES} (default: all but KILL_ALL, which needs --set "
          + "understudy.journal=disk or --database only, and POWER_LOSS, which needs --set understudy.journal=disk; the last five need "
          + "--database).")
  private List<FaultKind> kinds = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Sets a key of docs/configuration.md at every replica; repeatable.")
  private List<String> keys = new ArrayList<>();

  @Option(names = "--tomcat", paramLabel = "DIR", description = "An unpacked Tomcat 10.1 or 11 instead of the build's.")
  private Path tomcat;

  @Option(names = "--history", paramLabel = "FILE", description = "Writes the history as JSON lines.")
  private Path file;

  @Option(names = "--plan", description = "Prints the plan of faults and ends.")
  private boolean planOnly;

  @Option(names = "--check", paramLabel = "FILE", description = "Checks a history that --history has written, and ends.")
  private Path check;

  @Spec private CommandSpec command;

  /** Kinds by their names in docs/torture.md too. */
  private static final class KindNames implements ITypeConverter<FaultKind> {
    @Override
    public FaultKind convert(String name) {
      try {
        return FaultKind.valueOf(name.replace('-', '_').toUpperCase(Locale.ROOT));
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("expected one of " + List.of(FaultKind.values()) + " but was '" + name + "'");
      }
    }
  }

  /** A delay as in the description of the option. */
  private static final class DelayText implements ITypeConverter<LinkQuality> {
    @Override
    public LinkQuality convert(String text) {
      try {
        return LinkQuality.ofDelay(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException("expected MS, MS,MS or MS,MS,tail, each up to 10000, but was '" + text + "'");
      }
    }
  }

  /** Where a durability mapping keeps the counters. */
  enum Kept {
    ONLY("db"),
    BOTH("twice");

    private final String mapping;

    Kept(String mapping) {
      this.mapping = mapping;
    }
  }

  public static void main(String[] arguments) {
    System.exit(execute(arguments));
  }

  /** Runs the command and returns its status. */
  static int execute(String... arguments) {
    return new CommandLine(new TortureCommand())
        .setParameterExceptionHandler(new InvalidArguments())
        .setCaseInsensitiveEnumValuesAllowed(true)
        .execute(arguments);
  }

  @Override
  public Integer call() throws Exception {
    validate();
    if (check != null) {
      History.Recorded history = HistoryFile.read(check);
      return report(new Verdict(history, List.of(), 0, 0, Checks.check(history, database == Kept.ONLY)));
    }
    List<Fault> plan = FaultPlan.of(seed, replicas, Duration.ofMillis(Math.round(minutes * 60_000)), kinds());
    if (Enclosure.inside()) {
      return torture(plan);
    }
    System.out.println("Plan of seed " + seed + " for " + replicas + " replicas and " + minutes + " minutes:");
    for (int i = 0; i < plan.size(); i++) {
      System.out.printf("%3d  %s%n", i + 1, plan.get(i).describe());
    }
    if (planOnly) {
      return 0;
    }
    Optional<String> obstacle = loopback ? Optional.empty() : Enclosure.unavailable();
    if (obstacle.isPresent()) {
      System.err.println("torture: " + obstacle.get() + " --loopback needs none of that, and cuts no links.");
      return 2;
    }
    System.out.flush();
    List<String> arguments = command.commandLine().getParseResult().originalArgs();
    return loopback ? Enclosure.runWithoutNamespaces(TortureCommand.class, arguments) : Enclosure.run(TortureCommand.class, arguments);
  }

  private List<FaultKind> kinds() {
    if (!kinds.isEmpty()) {
      return kinds;
    }
    List<FaultKind> all = new ArrayList<>(FaultKind.USUAL);
    if (database != null) {
      all.addAll(FaultKind.OF_DATABASE);
    }
    if (loopback) {
      all.retainAll(FaultKind.OF_PROCESSES);
    }
    return all;
  }

  private void validate() {
    require(minutes > 0 && minutes <= 1_440, "--minutes is above 0 and at most 1440, not " + minutes + ".");
    require(replicas >= MIN_REPLICAS && replicas <= MAX_REPLICAS, "--replicas is from 3 to 9, not " + replicas + ".");
    require(clients >= 2 && clients <= MAX_CLIENTS, "--clients is from 2 to 50, not " + clients + ".");
    require(counters >= 1 && counters <= 100, "--resources is from 1 to 100, not " + counters + ".");
    require(strategy.equals("group") || strategy.equals("primary-backup"),
        "--strategy is group or primary-backup, not " + strategy + ".");
    require(channel == null || strategy.equals("group"), "--channel needs --strategy group.");
    require(channel == null || List.of("log", "jgroups", "spread").contains(channel),
        "--channel is log, jgroups or spread, not " + channel + ".");
    require(!"spread".equals(channel) || planOnly || System.getenv(SpreadDaemons.PROGRAM) != null,
        "--channel spread needs the environment variable " + SpreadDaemons.PROGRAM + ": the path of the daemon's program.");
    require(transactions == null || transactions >= 0 && transactions <= 100, "--transactions is from 0 to 100, not " + transactions + ".");
    require(stateBytes >= 0 && stateBytes <= 8_000_000, "--state-bytes is from 0 to 8000000, not " + stateBytes + ".");
    require(stateBytes == 0 || database == null, "--state-bytes is for counters without --database.");
    require(transactions == null || transactions == 0 || strategy.equals("primary-backup"),
        "--transactions needs --strategy primary-backup.");
    require(database == null || strategy.equals("primary-backup"), "--database needs --strategy primary-backup.");
    require(database != null || kinds.stream().noneMatch(FaultKind.OF_DATABASE::contains),
        "--faults names a fault of a database server, and there is none without --database.");
    require(!kinds.contains(FaultKind.KILL_ALL) || keys.contains("understudy.journal=disk") || database == Kept.ONLY,
        "--faults kill_all needs --set understudy.journal=disk or --database only: otherwise the state does not survive it.");
    require(!kinds.contains(FaultKind.POWER_LOSS) || keys.contains("understudy.journal=disk"),
        "--faults power_loss needs --set understudy.journal=disk: it leaves something at the end of journals.");
    require(!loopback || FaultKind.OF_PROCESSES.containsAll(kinds), "--faults names a fault of links, and --loopback cuts none.");
    require(rate >= 0 && rate <= 1_000_000, "--rate is from 0 to 1000000, not " + rate + ".");
    require(!loopback || delay.withRate(rate).equals(LinkQuality.NONE), "--delay and --rate need network namespaces, so not --loopback.");
    require(!loopback || !"spread".equals(channel), "--channel spread needs network namespaces, so --loopback does not go with it.");
    require(keys.stream().allMatch(key -> key.startsWith("understudy.") && key.contains("=")), "--set needs understudy.KEY=VALUE.");
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(command.commandLine(), otherwise);
    }
  }

  private int torture(List<Fault> plan) throws IOException, InterruptedException {
    Enclosure.endWithParent();
    Path scripts = script.toAbsolutePath().normalize().getParent();
    Machines machines = loopback ? Machines.loopback() : Machines.namespaces();
    try (RunFolder folder = RunFolder.create(scripts.resolveSibling(".cluster"), seed)) {
      System.err.println("Starting " + replicas + " replicas (" + strategy + (channel == null ? "" : ", " + channel) + ") in "
          + folder.path() + " …");
      Run run = new Run(folder.path(), new Run.Settings(machines, replicas, clients, transacting(), counters, stateBytes, seed,
          "spread".equals(channel), delay.withRate(rate), database, configuration(machines, folder.path())));
      Installation installation = Installation.of(scripts, tomcat, "log".equals(channel) ? null : channel);
      Verdict verdict = run.run(
          database == null ? installation : installation.withDatabase(scripts, folder.path(), database.mapping), plan);
      if (file != null) {
        HistoryFile.write(file, verdict.history());
      }
      int status = report(verdict);
      if (verdict.pass()) {
        folder.delete();
      } else {
        System.err.println("The history and the logs of the replicas are in " + folder.path() + ". Repeat the plan with --seed " + seed
            + ".");
      }
      return status;
    }
  }

  private int transacting() {
    boolean none = !strategy.equals("primary-backup") || stateBytes > MAX_TRANSACTED_STATE_BYTES;
    int percent = transactions != null ? transactions : none ? 0 : DEFAULT_TRANSACTIONS_PERCENT;
    return (clients * percent + 99) / 100;
  }

  private List<String> configuration(Machines machines, Path folder) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>();
    lines.add("understudy.strategy=" + strategy);
    if (channel != null) {
      lines.addAll(ChannelSettings.of(channel, replicas, machines, folder));
    }
    if (database != null) {
      lines.addAll(DatabaseProcess.settings(machines));
    }
    if (transacting() > 0) {
      lines.add("understudy.transaction.lifetime.ms=" + TRANSACTION_LIFETIME_MS);
    }
    lines.addAll(keys);
    return lines;
  }

  private static int report(Verdict verdict) {
    PrintStream out = System.out;
    verdict.print(out);
    out.flush();
    return verdict.pass() ? 0 : 1;
  }
}
