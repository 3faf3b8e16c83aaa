package org.understudy.lab.compare;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.Arguments;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import org.understudy.lab.report.Progress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a group for each mode, measures them in turns, and writes tables and a report. */
@Command(
    name = "scripts/compare",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine what Zhang et al. measured in 2004: a state update's way to the backups and back, a "
          + "client's round trip and its ratio to strategy none, for 10 B to 100 kB of state and each transfer mode, and "
          + "how long a failover takes to reach 1 to 1,000 clients.",
      "Writes state-transfer.csv, client-request.csv, failover.csv and report.html."
    })
public final class Compare implements Callable<Integer> {
  /** Two replicas do not survive the loss of one, so failovers need at least three. */
  private static final int FAILOVER_REPLICAS = 3;
  private static final int PORTS = 10;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(
      names = "--replicas",
      defaultValue = "3",
      description = "Replicas of a group, 2 to 9 (default ${DEFAULT-VALUE}); 2 is the paper's own set-up.")
  private int replicas;

  @Option(names = "--quick", description = "A smaller run: under one minute instead of ten.")
  private boolean quick;

  @Option(names = "--warm-up", paramLabel = "CALLS", description = "Calls of each mode and size that are not counted.")
  private Integer warmUp;

  @Option(names = "--calls", paramLabel = "CALLS", description = "Calls of each mode and size.")
  private Integer calls;

  @Option(names = "--failovers", paramLabel = "COUNT", description = "Failovers of each mode and number of clients.")
  private Integer failoverCount;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "comparison",
      description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      defaultValue = "8600",
      description = "Base port: uses 40 ports from this and 40 from this + 1000 (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new Compare())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)))
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (replicas < 2 || replicas > 9) {
      throw new ParameterException(command.commandLine(), "--replicas is from 2 to 9, not " + replicas + ".");
    }
    Files.createDirectories(out);
    Scale scale = scale();
    if (!scale.warm()) {
      System.out.println(
          "The JVMs are not warm (" + scale.warmUp() + " calls a mode and size, warm from " + Scale.FULL.warmUp()
              + "): times are several times those of a warm service, and ratios are rough.");
    }
    try {
      RoundTrips roundTrips = roundTrips(scale);
      Tables.write(roundTrips, out);
      Tables.print(roundTrips);
      Failovers failovers = failovers(scale);
      Tables.write(failovers, out);
      Tables.print(failovers);
      new Report(roundTrips, failovers, replicas, scale).write(out.resolve("report.html"));
      System.err.println("Written: " + out.resolve("report.html") + " and three CSV files beside it.");
    } finally {
      for (Mode mode : Mode.values()) {
        cluster(mode, replicas).run("down");
      }
    }
    return 0;
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    return new Scale(
        Arguments.atLeastOne(command, "--warm-up", warmUp, defaults.warmUp()),
        Arguments.atLeastOne(command, "--calls", calls, defaults.calls()),
        defaults.batch(),
        defaults.polls(),
        Arguments.atLeastOne(command, "--failovers", failoverCount, defaults.failovers()),
        defaults.clients());
  }

  private RoundTrips roundTrips(Scale scale) throws Exception {
    up(List.of(Mode.values()), replicas);
    Map<Mode, Caller> callers = new EnumMap<>(Mode.class);
    try {
      for (Mode mode : Mode.values()) {
        callers.put(mode, new Caller(cluster(mode, replicas).services(), RoundTrips.BYTES));
      }
      RoundTrips roundTrips = new RoundTrips(callers);
      roundTrips.warmUp(scale.warmUp(), scale.batch(), Progress.of("Warming up"));
      roundTrips.measure(scale.calls(), scale.batch(), Progress.of("Round trips"));
      return roundTrips;
    } finally {
      callers.values().forEach(Caller::close);
    }
  }

  private Failovers failovers(Scale scale) throws Exception {
    cluster(Mode.NONE, replicas).run("down");
    int size = Math.max(replicas, FAILOVER_REPLICAS);
    if (size != replicas) {
      for (Mode mode : Mode.TRANSFERS) {
        cluster(mode, replicas).run("down");
      }
      up(Mode.TRANSFERS, size);
    }
    Map<Mode, Cluster> clusters = new EnumMap<>(Mode.class);
    for (Mode mode : Mode.TRANSFERS) {
      clusters.put(mode, cluster(mode, size));
    }
    Failovers failovers = new Failovers(clusters, scale.clients());
    failovers.warmUp(scale.polls(), Progress.of("Held polls"));
    failovers.measure(Math.min(1, scale.polls()), scale.failovers(), Progress.of("Failovers"));
    return failovers;
  }

  private Cluster cluster(Mode mode, int size) {
    return new Cluster(script, port + mode.ordinal() * PORTS, mode == Mode.NONE ? 1 : size);
  }

  private void up(List<Mode> modes, int size) throws Exception {
    System.err.println("Starting " + modes.size() + " groups …");
    ExecutorService starters = Executors.newFixedThreadPool(modes.size());
    try {
      List<CompletableFuture<Void>> starting = new ArrayList<>();
      for (Mode mode : modes) {
        starting.add(CompletableFuture.runAsync(() -> up(mode, size), starters));
      }
      CompletableFuture.allOf(starting.toArray(new CompletableFuture<?>[0])).join();
    } catch (CompletionException e) {
      throw e.getCause() instanceof Exception cause ? cause : e;
    } finally {
      starters.shutdown();
    }
  }

  private void up(Mode mode, int size) {
    List<String> words = new ArrayList<>(List.of("up"));
    words.addAll(mode.options(size));
    words.addAll(List.of("--set", "understudy.timing.header=true", "--set", "understudy.suspect.ms=400"));
    // All clients have one address here, and a thousand of them wait.
    words.addAll(List.of("--set", "understudy.held.polls=8000"));
    try {
      cluster(mode, size).run(words.toArray(new String[0]));
    } catch (IOException e) {
      throw new CompletionException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new CompletionException(e);
    }
  }
}
