package org.understudy.lab.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
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

/** Starts a Matchmaker for each durability mapping, measures them in turns, and writes tables and a report. */
@Command(
    name = "scripts/durability-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine what Zhang measured in 2006 (IV.D): the Matchmaker without durability (original), with both of its "
          + "objects replicated (PB), with machines replicated and accounts in a database (PB+DB), and with both in a database (DB). "
          + "Throughput against the number of clients, and latency of four clients against the pauses between their requests.",
      "Checks that no machine has two jobs at once and that each client is charged once for each job. Writes throughput.csv, "
          + "rounds.csv, relations.csv and report.html."
    })
public final class DurabilityBench implements Callable<Integer> {
  private static final int PORTS = 10;
  /** The database of scripts/cluster listens at the port + 3000. */
  private static final int MAX_PORT = 62_400;

  /** What can be measured alone. */
  enum Part {
    throughput,
    latency
  }

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(names = "--quick", description = "A smaller run with cold JVMs, enough to notice errors.")
  private boolean quick;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--replicas",
      defaultValue = "2",
      description = "Replicas of a group, 2 to 9 (default ${DEFAULT-VALUE}, as in the thesis).")
  private int replicas;

  @Option(names = "--warm-up", paramLabel = "JOBS", description = "Jobs of each client and set-up that are not counted.")
  private Integer warmUp;

  @Option(names = "--repetitions", paramLabel = "COUNT", description = "Repetitions of everything that is measured.")
  private Integer repetitions;

  @Option(
      names = "--intervals",
      split = ",",
      paramLabel = "S",
      description = "Longest pauses of a client in seconds of the thesis, whose round trip of 139 ms is scaled to that of this machine.")
  private List<Integer> intervals;

  @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds of each client, set-up and interval.")
  private Integer rounds;

  @Option(names = "--clients", split = ",", paramLabel = "COUNT", description = "Concurrent clients of the throughput.")
  private List<Integer> clients;

  @Option(names = "--millis", paramLabel = "MS", description = "Time of each point of the throughput, in each repetition.")
  private Integer millis;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "durability-bench",
      description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      defaultValue = "8400",
      description = "Base port: uses 40 ports from this, from this + 1000 and + 3000 (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    CommandLine program =
        new CommandLine(new DurabilityBench())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)));
    System.exit(program.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (replicas < 2 || replicas > 9) {
      throw new ParameterException(command.commandLine(), "--replicas is from 2 to 9, not " + replicas + ".");
    }
    if (port < 1_024 || port > MAX_PORT) {
      throw new ParameterException(command.commandLine(), "--port is a number from 1024 to " + MAX_PORT + ", not " + port + ".");
    }
    Scale scale = scale();
    if (!scale.isWarm()) {
      System.out.println("The JVMs are not warm (" + scale.warmUp() + " jobs of a client, warm from " + Scale.FULL.warmUp()
          + "): times are several times those of warm servers, and ratios are rough.");
    }
    Files.createDirectories(out);
    Map<Setup, Clients> all = new EnumMap<>(Setup.class);
    // Also when the program is interrupted.
    Thread end = new Thread(this::down, "end of groups");
    Runtime.getRuntime().addShutdownHook(end);
    try {
      for (Setup setup : Setup.values()) {
        System.err.println("Starting " + setup.label() + " …");
        all.put(setup, up(setup, Math.max(Thesis.CLIENTS, Collections.max(scale.clients()))));
      }
      measure(all, scale);
    } finally {
      all.values().forEach(Clients::close);
      Runtime.getRuntime().removeShutdownHook(end);
      down();
    }
    return 0;
  }

  private void measure(Map<Setup, Clients> all, Scale scale) throws IOException, InterruptedException {
    Rounds latency = new Rounds(all, scale);
    latency.warmUp(Progress.of("Warming up"));
    Throughput throughput = null;
    if (parts.contains(Part.throughput)) {
      throughput = new Throughput(all, scale);
      throughput.measure(Progress.of("Throughput"));
      Tables.write(throughput, out);
      Tables.print(throughput);
    }
    if (parts.contains(Part.latency)) {
      latency.measure(Progress.of("Latency"));
      Tables.write(latency, out);
      Tables.print(latency);
    } else {
      latency = null;
    }
    Tables.write(Relations.of(throughput, latency), out);
    Tables.print(Relations.of(throughput, latency));
    new Report(throughput, latency, scale, replicas).write(out.resolve("report.html"));
    System.err.println("Written: " + out.resolve("report.html") + " and the CSV files beside it.");
  }

  private Clients up(Setup setup, int count) throws IOException, InterruptedException {
    Path root = script.toAbsolutePath().normalize().getParent().getParent();
    Cluster cluster = cluster(setup);
    List<String> words = new ArrayList<>(setup.options(replicas));
    Path directory = Files.createTempDirectory("durability-bench");
    Path archive = directory.resolve("matchmaker.war");
    try {
      if (setup.hasDatabase()) {
        Archive.withDatabase(root, archive);
        words.addAll(List.of("--war", archive.toString()));
      } else {
        words.addAll(List.of("--service", "matchmaker"));
      }
      cluster.run(Map.of("JAVA_OPTS", setup.javaOptions()), words.toArray(new String[0]));
    } finally {
      Files.deleteIfExists(archive);
      Files.delete(directory);
    }
    List<MatchmakerClient> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(MatchmakerClient.of(cluster.services(), "client-" + i));
    }
    return new Clients(some);
  }

  private void down() {
    for (Setup setup : Setup.values()) {
      try {
        cluster(setup).run("down");
      } catch (IOException e) {
        System.err.println(e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private Cluster cluster(Setup setup) {
    return new Cluster(script, port + setup.ordinal() * PORTS, setup.replicas(replicas), "matchmaker", "MatchmakerService");
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    return new Scale(
        Arguments.atLeastOne(command, "--warm-up", warmUp, defaults.warmUp()),
        Arguments.atLeastOne(command, "--repetitions", repetitions, defaults.repetitions()),
        atLeastOne("--intervals", intervals, defaults.intervals()),
        Arguments.atLeastOne(command, "--rounds", rounds, defaults.rounds()),
        atLeastOne("--clients", clients, defaults.clients()),
        Arguments.atLeastOne(command, "--millis", millis, defaults.millis()));
  }

  private List<Integer> atLeastOne(String option, List<Integer> given, List<Integer> defaults) {
    if (given == null) {
      return defaults;
    }
    return given.stream().map(one -> Arguments.atLeastOne(command, option, one, 1)).distinct().sorted().toList();
  }
}
