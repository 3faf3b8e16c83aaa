package org.understudy.lab.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.group.refusal.Connector;
import org.understudy.lab.group.refusal.Refusals;
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

/** Starts the set-ups, measures them in turns, and writes tables and a report. */
@Command(
    name = "scripts/group-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine what Bartoli et al. measured in 2005: throughput of three replicas that all serve, beside one "
          + "without replication, against the number of clients for 100, 80, 40 and 0 %% updates, with clients at one replica and "
          + "at all, and with Tomcat's thread limit as it comes and tuned; refused connections and failed requests of clients that connect "
          + "for each request, with Tomcat's own limits of connections and with those of conf/server.xml; what an update costs in time "
          + "and bytes; and one resource that several clients update.",
      "Writes CSV files, after each part, and report.html. A part that fails does not end the run.",
      "The whole takes some 50 minutes on two processors without other work: latency 25, figures 15, refusals 8, hot and bytes 2."
    })
public final class GroupBench implements Callable<Integer> {
  /** About the size of a proposal, see the part {@code bytes}. */
  private static final int MESSAGE_BYTES = 500;
  /** As {@code scripts/cluster} adds them. */
  private static final int PEER_PORTS = 1_000;

  /** By what {@code --groups} calls them. */
  private static final Map<String, Setup> COMPARED = new TreeMap<>(Map.of(
      "log", Setup.ONE_ENTRY, "balanced", Setup.BALANCED, "jgroups", Setup.JGROUPS, "spread", Setup.SPREAD));

  /** What can be measured alone. */
  enum Part {
    figures,
    refusals,
    latency,
    bytes,
    hot
  }

  @Option(names = "--quick", description = "A smaller run with cold JVMs: about three minutes.")
  private boolean quick;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--groups",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "log,balanced,jgroups",
      description = "Groups whose round trips are compared, by their channels: log, balanced (log, and load is balanced), jgroups, spread "
          + "(default ${DEFAULT-VALUE}). spread needs a daemon, see scripts/cluster --help; the daemon's own round trips are measured "
          + "beside.")
  private List<String> groups;

  @Option(names = "--clients", split = ",", paramLabel = "COUNT", description = "Concurrent clients of the figures.")
  private List<Integer> clients;

  @Option(
      names = "--refusal-clients",
      split = ",",
      paramLabel = "COUNT",
      description = "Concurrent clients of the refused connections. Each needs a file descriptor.")
  private List<Integer> refusalClients;

  @Option(names = "--refusal-millis", paramLabel = "MS", description = "Time in which they begin requests, at each point.")
  private Integer refusalMillis;

  @Option(names = "--millis", paramLabel = "MS", description = "Time of each point of a figure, in each round.")
  private Integer millis;

  @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds over all points.")
  private Integer rounds;

  @Option(
      names = "--warm-up-millis",
      paramLabel = "MS",
      description = "Time for which each set-up is loaded before the figures, times its replicas.")
  private Integer warmUpMillis;

  @Option(
      names = "--pairs",
      paramLabel = "COUNT",
      description = "How often the round trips of each group are measured, each time in a pair of fresh servers: the group, and one "
          + "without replication.")
  private Integer pairs;

  @Option(names = "--calls", paramLabel = "CALLS", description = "Round trips of each kind and replica, in each pair.")
  private Integer calls;

  @Option(names = "--warm-up", paramLabel = "CALLS", description = "Round trips that are not counted before.")
  private Integer warmUp;

  @Mixin private final BenchOptions common = new BenchOptions("group-bench", 8_700);

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new GroupBench())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)))
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (!COMPARED.keySet().containsAll(groups)) {
      throw new ParameterException(command.commandLine(), "--groups are " + COMPARED.keySet() + ", not " + groups + ".");
    }
    Scale scale = scale();
    Path out = common.out();
    Files.createDirectories(out);
    Results results = new Results(scale);
    PartRunner runner = new PartRunner(() -> Tables.write(results, out));
    if (parts.contains(Part.latency)) {
      runner.run("latency", () -> measureLatencies(scale, results));
    }
    measureTogether(scale, results, runner);
    if (parts.contains(Part.refusals)) {
      measureRefusals(scale, results, runner);
    }
    Tables.print(results);
    new Report(results).write(out.resolve("report.html"));
    System.err.println("Written: " + out.resolve("report.html") + " and the CSV files beside it.");
    if (!runner.failed().isEmpty()) {
      System.err.println("Failed, and missing or incomplete there: " + String.join(", ", runner.failed()) + ".");
    }
    return runner.failed().isEmpty() ? 0 : 1;
  }

  /** One group at a time beside a server without replication: what other servers run would be a part of what is measured. */
  private void measureLatencies(Scale scale, Results results) throws Exception {
    results.latencies = new Latencies();
    for (int pair = 1; pair <= scale.pairs(); pair++) {
      for (String name : groups) {
        Setup group = COMPARED.get(name);
        try (Clusters clusters = new Clusters(common.script(), common.port());
            SpreadAlone spread = group == Setup.SPREAD ? spreadAlone() : null) {
          clusters.up(EnumSet.of(Setup.NONE, group));
          try (Pair both = new Pair(
              group, (setup, replica, level) -> new StubCaller(clusters.of(setup).services(replica), level), spread)) {
            both.warmUp(scale.warmUp(), Progress.of("Warming up"));
            both.measure(scale.calls(), Progress.of("Round trips"));
            results.latencies.add(both);
            System.err.println(Tables.pair(both));
          }
        }
      }
    }
  }

  private void measureTogether(Scale scale, Results results, PartRunner runner) throws IOException, InterruptedException {
    Set<Setup> started = EnumSet.noneOf(Setup.class);
    if (parts.contains(Part.figures)) {
      started.addAll(Setup.OF_FIGURES);
    }
    if (parts.contains(Part.hot) || parts.contains(Part.bytes)) {
      started.addAll(EnumSet.of(Setup.NONE, Setup.ONE_ENTRY));
    }
    if (started.isEmpty()) {
      return;
    }
    runner.run("start and end of the groups", () -> {
      try (Clusters clusters = new Clusters(common.script(), common.port())) {
        clusters.up(started);
        measure(clusters, scale, results, runner);
      }
    });
  }

  private void measure(Clusters clusters, Scale scale, Results results, PartRunner runner) throws IOException, InterruptedException {
    if (parts.contains(Part.figures)) {
      runner.run("figures", () -> measureFigures(clusters.of(Setup.OF_FIGURES), scale, results));
    }
    if (parts.contains(Part.hot)) {
      runner.run("hot", () -> measureHot(clusters.of(List.of(Setup.NONE, Setup.ONE_ENTRY)), scale, results));
    }
    if (parts.contains(Part.bytes)) {
      runner.run("bytes", () -> measureBytes(clusters.of(Setup.ONE_ENTRY), results));
    }
  }

  /** One kind of server at a time: clients and servers have the processors, ports and file descriptors of this machine. */
  private void measureRefusals(Scale scale, Results results, PartRunner runner) throws IOException, InterruptedException {
    results.refusals = new Refusals();
    for (Connector connector : Connector.values()) {
      runner.run("refusals, " + connector.label(), () -> {
        Cluster cluster = new Cluster(common.script(), common.port() + connector.ordinal() * Clusters.PORTS, connector.replicas());
        System.err.println("Starting " + connector.label() + " …");
        cluster.run(Map.of("JAVA_OPTS", connector.javaOptions()), connector.options().toArray(new String[0]));
        try {
          results.refusals.measure(connector, cluster.services(), scale.refusalClients(), scale.refusalMillis());
        } finally {
          cluster.run("down");
        }
      });
    }
  }

  private void measureHot(Map<Setup, Cluster> both, Scale scale, Results results) throws IOException, InterruptedException {
    if (!quick) {
      new HotResource().measure(both, 1, scale.millis(), Progress.of("Warming up"));
    }
    results.hot = new HotResource();
    results.hot.measure(both, scale.rounds(), scale.millis(), Progress.of("One resource"));
  }

  private void measureBytes(Cluster group, Results results) throws Exception {
    int sequencer = group.awaitWhole();
    int peers = common.port() + Setup.ONE_ENTRY.ordinal() * Clusters.PORTS + PEER_PORTS;
    results.sequencer = sequencer;
    for (int entry : List.of(sequencer, sequencer % Setup.ONE_ENTRY.replicas() + 1)) {
      results.traffic.put(entry, PeerTraffic.perUpdate(group, peers, Setup.ONE_ENTRY.replicas(), entry));
    }
  }

  /** The daemon's own round trips, to tell its share from that of the replicas. */
  private static SpreadAlone spreadAlone() throws IOException {
    return new SpreadAlone(SpreadAlone.daemon(System.getenv().getOrDefault("SPREAD_DAEMON", "4803@localhost")), MESSAGE_BYTES);
  }

  private static void measureFigures(Map<Setup, Cluster> clusters, Scale scale, Results results)
      throws IOException, InterruptedException {
    Map<Setup, Clients> clients = new EnumMap<>(Setup.class);
    try {
      clusters.forEach((setup, cluster) -> clients.put(setup, new Clients(cluster)));
      Figures figures = new Figures(clients, scale.clients());
      results.figures = figures;
      figures.warmUp(Math.min(16, scale.mostClients()), scale.warmUpMillis(), Progress.of("Warming up"));
      figures.measure(scale.rounds(), scale.millis(), Progress.of("Throughput"));
    } finally {
      clients.values().forEach(Clients::close);
    }
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    return new Scale(
        counts("--clients", clients, defaults.clients()),
        common.atLeastOne("--millis", millis, defaults.millis()),
        common.atLeastOne("--rounds", rounds, defaults.rounds()),
        common.atLeastOne("--warm-up-millis", warmUpMillis, defaults.warmUpMillis()),
        common.atLeastOne("--pairs", pairs, defaults.pairs()),
        common.atLeastOne("--calls", calls, defaults.calls()),
        common.atLeastOne("--warm-up", warmUp, defaults.warmUp()),
        counts("--refusal-clients", refusalClients, defaults.refusalClients()),
        common.atLeastOne("--refusal-millis", refusalMillis, defaults.refusalMillis()));
  }

  private List<Integer> counts(String option, List<Integer> given, List<Integer> defaults) {
    return given == null ? defaults : given.stream().map(count -> common.atLeastOne(option, count, 1)).toList();
  }
}
