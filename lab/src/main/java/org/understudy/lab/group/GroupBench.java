package org.understudy.lab.group;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.Progress;
import picocli.CommandLine;
import picocli.CommandLine.Command;
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
          + "at all, and with Tomcat's thread limit as it comes and tuned; refused connections; what an update costs in time and "
          + "bytes; and one resource that several clients update.",
      "Writes CSV files and report.html."
    })
public final class GroupBench implements Callable<Integer> {
  private static final int PORTS = 10;
  /** About the size of a proposal, see the part {@code bytes}. */
  private static final int MESSAGE_BYTES = 500;
  /** As {@code scripts/cluster} adds them. */
  private static final int PEER_PORTS = 1_000;

  /** What can be measured alone. */
  enum Part {
    figures,
    latency,
    bytes,
    hot
  }

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(names = "--quick", description = "A smaller run with cold JVMs: about a minute instead of twenty.")
  private boolean quick;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: ${COMPLETION-CANDIDATES} (default: all).")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--channels",
      split = ",",
      paramLabel = "NAME",
      defaultValue = "log,jgroups",
      description = "Group channels whose round trips are compared: log, jgroups, spread (default ${DEFAULT-VALUE}). spread needs a "
          + "daemon, see scripts/cluster --help; the daemon's own round trips are measured beside.")
  private Set<String> channels;

  @Option(names = "--clients", split = ",", paramLabel = "COUNT", description = "Concurrent clients of the figures.")
  private List<Integer> clients;

  @Option(names = "--millis", paramLabel = "MS", description = "Time of each point of a figure, in each round.")
  private Long millis;

  @Option(names = "--rounds", paramLabel = "COUNT", description = "Rounds over all points.")
  private Integer rounds;

  @Option(
      names = "--warm-up-millis",
      paramLabel = "MS",
      description = "Time for which each set-up is loaded before the figures, times its replicas.")
  private Long warmUpMillis;

  @Option(names = "--calls", paramLabel = "CALLS", description = "Round trips of each kind and replica.")
  private Integer calls;

  @Option(names = "--warm-up", paramLabel = "CALLS", description = "Round trips that are not counted before.")
  private Integer warmUp;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "group-bench",
      description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      defaultValue = "8700",
      description = "Base port: uses 70 ports from this, from this + 1000 and + 2000 (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    System.exit(new CommandLine(new GroupBench()).setParameterExceptionHandler(new InvalidArguments()).execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (!List.of("log", "jgroups", "spread").containsAll(channels)) {
      throw new ParameterException(command.commandLine(), "--channels are log, jgroups and spread, not " + channels + ".");
    }
    Scale scale = scale();
    Files.createDirectories(out);
    Results results = new Results(scale);
    Map<Setup, Cluster> clusters = new EnumMap<>(Setup.class);
    try {
      for (Setup setup : setups()) {
        System.err.println("Starting " + setup.label() + " …");
        clusters.put(setup, cluster(setup));
        clusters.get(setup).run(Map.of("JAVA_OPTS", setup.javaOptions()), setup.options().toArray(new String[0]));
      }
      measure(clusters, scale, results);
      Tables.write(results, out);
      Tables.print(results);
      new Report(results).write(out.resolve("report.html"));
      System.err.println("Written: " + out.resolve("report.html") + " and the CSV files beside it.");
    } finally {
      for (Setup setup : Setup.values()) {
        cluster(setup).run("down");
      }
    }
    return 0;
  }

  /** One without replication, a group for each channel, and one that balances load, for what the decision costs. */
  private Set<Setup> withChannels() {
    Set<Setup> compared = EnumSet.of(Setup.NONE);
    for (Setup setup : List.of(Setup.ONE_ENTRY, Setup.BALANCED, Setup.JGROUPS, Setup.SPREAD)) {
      if (channels.contains(setup.channel())) {
        compared.add(setup);
      }
    }
    return compared;
  }

  private Set<Setup> setups() {
    Set<Setup> started = EnumSet.of(Setup.NONE, Setup.ONE_ENTRY);
    if (parts.contains(Part.figures)) {
      started.addAll(Setup.OF_FIGURES);
    }
    if (parts.contains(Part.latency)) {
      started.addAll(withChannels());
    }
    return started;
  }

  private void measure(Map<Setup, Cluster> clusters, Scale scale, Results results) throws Exception {
    Cluster none = clusters.get(Setup.NONE);
    Cluster group = clusters.get(Setup.ONE_ENTRY);
    if (parts.contains(Part.latency)) {
      Map<Setup, Cluster> compared = new EnumMap<>(clusters);
      compared.keySet().retainAll(withChannels());
      try (SpreadAlone spread = spreadAlone(); Latencies latencies = new Latencies(compared, spread)) {
        latencies.warmUp(scale.warmUp(), Progress.of("Warming up"));
        latencies.measure(scale.calls(), Progress.of("Round trips"));
        results.latencies = latencies;
      }
    }
    if (parts.contains(Part.figures)) {
      Map<Setup, Cluster> ofFigures = new EnumMap<>(clusters);
      ofFigures.keySet().retainAll(Setup.OF_FIGURES);
      results.figures = figures(ofFigures, scale);
    }
    if (parts.contains(Part.hot)) {
      Map<Setup, Cluster> both = new LinkedHashMap<>();
      both.put(Setup.NONE, none);
      both.put(Setup.ONE_ENTRY, group);
      HotResource hot = new HotResource();
      if (!quick) {
        hot.measure(both, 1, scale.millis(), Progress.of("Warming up"));
        hot = new HotResource();
      }
      hot.measure(both, scale.rounds(), scale.millis(), Progress.of("One resource"));
      results.hot = hot;
    }
    if (parts.contains(Part.bytes)) {
      int sequencer = group.awaitWhole();
      int peers = port + Setup.ONE_ENTRY.ordinal() * PORTS + PEER_PORTS;
      results.sequencer = sequencer;
      for (int entry : List.of(sequencer, sequencer % Setup.ONE_ENTRY.replicas() + 1)) {
        results.traffic.put(entry, PeerTraffic.perUpdate(group, peers, Setup.ONE_ENTRY.replicas(), entry));
      }
    }
  }

  /** The daemon's own round trips, to tell its share from that of the replicas; null without Spread. */
  private SpreadAlone spreadAlone() throws IOException {
    return channels.contains("spread")
        ? new SpreadAlone(SpreadAlone.daemon(System.getenv().getOrDefault("SPREAD_DAEMON", "4803@localhost")), MESSAGE_BYTES)
        : null;
  }

  private static Figures figures(Map<Setup, Cluster> clusters, Scale scale) throws IOException, InterruptedException {
    Map<Setup, Clients> clients = new EnumMap<>(Setup.class);
    try {
      clusters.forEach((setup, cluster) -> clients.put(setup, new Clients(cluster)));
      Figures figures = new Figures(clients, scale.clients());
      figures.warmUp(Math.min(16, scale.mostClients()), scale.warmUpMillis(), Progress.of("Warming up"));
      figures.measure(scale.rounds(), scale.millis(), Progress.of("Throughput"));
      return figures;
    } finally {
      for (Clients some : clients.values()) {
        some.close();
      }
    }
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    List<Integer> counts = clients == null ? defaults.clients() : new ArrayList<>(clients);
    for (Number given : Arrays.<Number>asList(millis, rounds, warmUpMillis, calls, warmUp)) {
      atLeastOne(given);
    }
    counts.forEach(this::atLeastOne);
    return new Scale(
        counts,
        millis == null ? defaults.millis() : millis,
        rounds == null ? defaults.rounds() : rounds,
        warmUpMillis == null ? defaults.warmUpMillis() : warmUpMillis,
        calls == null ? defaults.calls() : calls,
        warmUp == null ? defaults.warmUp() : warmUp);
  }

  private void atLeastOne(Number given) {
    if (given != null && given.longValue() < 1) {
      throw new ParameterException(command.commandLine(), "Numbers of calls, clients, rounds and milliseconds are at least 1, not "
          + given + ".");
    }
  }

  private Cluster cluster(Setup setup) {
    return new Cluster(script, port + setup.ordinal() * PORTS, setup.replicas());
  }
}
