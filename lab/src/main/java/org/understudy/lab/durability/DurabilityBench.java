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
import org.understudy.lab.durability.counter.CounterPortType;
import org.understudy.lab.report.BenchOptions;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import org.understudy.lab.report.Progress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a counter and a Matchmaker with each durability mapping, measures them in turns, and writes tables and a report. */
@Command(
    name = "scripts/durability-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine what Zhang measured in 2006 (IV.D). The counter, without durability (original), replicated to one "
          + "and to two backups (PB), and in a database (DB): throughput against the number of clients, and the round trip of one. "
          + "The Matchmaker, without durability, with both of its objects replicated, with machines replicated and accounts in a "
          + "database (PB+DB), and with both in a database: latency of four clients against the pauses between their requests.",
      "The time until counters are served again after their primary was killed, with each mechanism, and after a restart of all "
          + "replicas with journals, against the number of counters (IV.A).",
      "Checks that each counter has each addition once, that no machine has two jobs at once, and that each client is charged once "
          + "for each job. Writes CSV files and report.html."
    })
public final class DurabilityBench implements Callable<Integer> {
  private static final int PORTS = 10;

  /** What can be measured alone. */
  enum Part {
    counter,
    latency,
    matchmaker,
    recovery
  }

  @Option(names = "--quick", description = "A smaller run with cold JVMs, enough to notice errors.")
  private boolean quick;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: ${COMPLETION-CANDIDATES} (default: all). counter is its throughput, latency its round trips.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--replicas",
      defaultValue = "2",
      description = "Replicas of a group of the Matchmaker, 2 to 9 (default ${DEFAULT-VALUE}, as in the thesis).")
  private int replicas;

  @Option(names = "--warm-up", paramLabel = "COUNT", description = "Requests of each client and set-up that are not counted.")
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

  @Option(names = "--clients", split = ",", paramLabel = "COUNT", description = "Concurrent clients of the counter.")
  private List<Integer> clients;

  @Option(names = "--millis", paramLabel = "MS", description = "Time of each point of the throughput, in each repetition.")
  private Integer millis;

  @Option(
      names = "--pairs",
      paramLabel = "COUNT",
      description = "How often the round trips of each set-up of the counter are measured, each time in a pair of fresh groups: one of the "
          + "set-up, and the original.")
  private Integer pairs;

  @Option(
      names = "--pair-warm-up",
      paramLabel = "COUNT",
      description = "Requests of one client to each group of a pair that are not counted.")
  private Integer pairWarmUp;

  @Option(names = "--requests", paramLabel = "COUNT", description = "Requests of one client to each group of a pair.")
  private Integer requests;

  @Option(
      names = "--mechanisms",
      split = ",",
      paramLabel = "NAME",
      description = "What to recover from failures: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Mechanism> mechanisms = EnumSet.allOf(Mechanism.class);

  @Option(names = "--sizes", split = ",", paramLabel = "COUNT", description = "Counters of a group that recovers.")
  private List<Integer> sizes;

  @Option(names = "--failures", paramLabel = "COUNT", description = "Failures of each mechanism and size.")
  private Integer failures;

  @Mixin private final BenchOptions common = new BenchOptions("durability-bench", 8_400);

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
    Scale scale = scale();
    if (!scale.isWarm()) {
      System.out.println("The JVMs are not warm (" + scale.warmUp() + " requests of a client, warm from " + Scale.FULL.warmUp()
          + "): times are several times those of warm servers, and ratios are rough.");
    }
    Path out = common.out();
    Files.createDirectories(out);
    Counting counting = parts.contains(Part.counter) ? counter(scale) : null;
    RoundTrips roundTrips = parts.contains(Part.latency) ? latency(scale) : null;
    Rounds rounds = parts.contains(Part.matchmaker) ? matchmaker(scale) : null;
    Results results = new Results(counting, roundTrips, rounds, parts.contains(Part.recovery) ? recovery(scale) : null);
    Tables.write(Relations.of(results), out);
    Tables.print(Relations.of(results));
    new Report(results, scale, replicas).write(out.resolve("report.html"));
    System.err.println("Written: " + out.resolve("report.html") + " and the CSV files beside it.");
    return 0;
  }

  private Counting counter(Scale scale) throws IOException, InterruptedException {
    try (Groups<CounterSetup, CounterClient> groups = new Groups<>(CounterSetup.class)) {
      int count = Collections.max(scale.clients());
      for (CounterSetup setup : CounterSetup.values()) {
        up(groups, setup, count);
      }
      Counting counting = new Counting(groups.clients(), scale);
      counting.warmUp(Progress.of("Warming up"));
      counting.measure(Progress.of("Counter"));
      Tables.write(counting, common.out());
      Tables.print(counting);
      return counting;
    }
  }

  private void up(Groups<CounterSetup, CounterClient> groups, CounterSetup setup, int clients) throws IOException, InterruptedException {
    groups.up(setup, setup.label(), deployment(setup.ordinal(), setup.form()),
        group -> clients(clients, number -> CounterClient.of(group.services(), group.wsdl())));
  }

  /** One set-up at a time beside the original: what other groups run would be a part of what is measured. */
  private RoundTrips latency(Scale scale) throws IOException, InterruptedException {
    RoundTrips roundTrips = new RoundTrips(scale.arePairsWarm());
    for (int pair = 1; pair <= scale.pairs(); pair++) {
      for (CounterSetup compared : RoundTrips.COMPARED) {
        try (Groups<CounterSetup, CounterClient> groups = new Groups<>(CounterSetup.class)) {
          up(groups, CounterSetup.ORIGINAL, 1);
          up(groups, compared, 1);
          Map<CounterSetup, CounterClient> clients = new EnumMap<>(CounterSetup.class);
          groups.clients().forEach((setup, one) -> clients.put(setup, one.all().get(0)));
          RoundTripPair both = new RoundTripPair(compared, clients);
          both.warmUp(scale.pairWarmUp(), Progress.of("Warming up"));
          both.measure(scale.requests(), Progress.of("Round trips"));
          roundTrips.add(both);
          System.err.println(RoundTripTables.pair(both));
        }
      }
    }
    RoundTripTables.write(roundTrips, common.out());
    RoundTripTables.print(roundTrips);
    return roundTrips;
  }

  private Rounds matchmaker(Scale scale) throws IOException, InterruptedException {
    try (Groups<Setup, MatchmakerClient> groups = new Groups<>(Setup.class)) {
      for (Setup setup : Setup.values()) {
        groups.up(setup, setup.label(), deployment(setup.ordinal(), setup.form(replicas)),
            group -> clients(Thesis.CLIENTS, number -> MatchmakerClient.of(group.services(), "client-" + number)));
      }
      Rounds rounds = new Rounds(groups.clients(), scale);
      rounds.warmUp(Progress.of("Warming up"));
      rounds.measure(Progress.of("Matchmaker"));
      Tables.write(rounds, common.out());
      Tables.print(rounds);
      Tables.printBreakdown(rounds);
      return rounds;
    }
  }

  private Recovery recovery(Scale scale) throws IOException, InterruptedException {
    Recovery recovery = new Recovery(scale);
    for (Mechanism mechanism : mechanisms) {
      try (Groups<Mechanism, CounterClient> groups = new Groups<>(Mechanism.class)) {
        Deployment deployment = deployment(0, mechanism.form());
        groups.up(mechanism, mechanism.label(), deployment,
            group -> clients(Thesis.CLIENTS, number -> CounterClient.of(group.services(), group.wsdl())));
        List<CounterPortType> ports = groups.clients().get(mechanism).all().stream().map(CounterClient::port).toList();
        recovery.measure(mechanism, new ClusterFailures(deployment), ports, Progress.of("Recovery"));
      }
    }
    RecoveryTables.write(recovery, common.out());
    RecoveryTables.print(recovery);
    return recovery;
  }

  /** @param number of those that are up at the same time, from 0 */
  private Deployment deployment(int number, Deployment.Form form) {
    return new Deployment(common.script(), common.port() + number * PORTS, form);
  }

  /** Makes the client with a number from 0. */
  private interface OneClient<C> {
    C of(int number) throws IOException;
  }

  private static <C> List<C> clients(int count, OneClient<C> factory) throws IOException {
    List<C> some = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      some.add(factory.of(i));
    }
    return some;
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    return new Scale(
        common.atLeastOne("--warm-up", warmUp, defaults.warmUp()),
        common.atLeastOne("--repetitions", repetitions, defaults.repetitions()),
        atLeastOne("--clients", clients, defaults.clients()),
        common.atLeastOne("--millis", millis, defaults.millis()),
        common.atLeastOne("--pairs", pairs, defaults.pairs()),
        common.atLeastOne("--pair-warm-up", pairWarmUp, defaults.pairWarmUp()),
        common.atLeastOne("--requests", requests, defaults.requests()),
        atLeastOne("--intervals", intervals, defaults.intervals()),
        common.atLeastOne("--rounds", rounds, defaults.rounds()),
        sizes(defaults),
        common.atLeastOne("--failures", failures, defaults.failures()));
  }

  private List<Integer> sizes(Scale defaults) {
    if (sizes == null) {
      return defaults.sizes();
    }
    for (int size : sizes) {
      if (size < 0) {
        throw new ParameterException(command.commandLine(), "--sizes are at least 0, not " + size + ".");
      }
    }
    return sizes.stream().distinct().sorted().toList();
  }

  private List<Integer> atLeastOne(String option, List<Integer> given, List<Integer> defaults) {
    if (given == null) {
      return defaults;
    }
    return given.stream().map(one -> common.atLeastOne(option, one, 1)).distinct().sorted().toList();
  }
}
