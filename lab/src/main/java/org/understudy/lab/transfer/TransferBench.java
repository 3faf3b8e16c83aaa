package org.understudy.lab.transfer;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.counter.CounterPortType;
import org.understudy.counter.CreateCounter;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import org.understudy.lab.report.Progress;
import org.understudy.lab.report.Samples;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Brings a replica up to date after a restart and after a pause, while clients write. */
@Command(
    name = "scripts/transfer-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine what a state transfer costs the clients: fills a group of three replicas, lets clients write, and "
          + "brings replica 3 up to date, first after a pause in which it was left out, then after a restart. First, the same clients "
          + "write to one server without replication, because the machine alone makes a client wait too.",
      "Prints for each the time until replica 3 is a member again, the bytes that it received from other replicas, and the clients' "
          + "round trips meanwhile. Needs the program ss."
    })
public final class TransferBench implements Callable<Integer> {
  private static final List<String> STRATEGIES = List.of("group", "group-naive-transfer", "primary-backup");
  private static final int REPLICAS = 3;
  private static final int JOINER = 3;
  private static final int PEER_PORTS = 1_000;
  private static final long SECOND_MS = 1_000;
  /** Within this time the stubs have their shares at the new replica. */
  private static final int CLIENTS_MOVE_SECONDS = 32;
  /** As long as a replica takes to restart, so that as many updates are measured. */
  private static final int NO_TRANSFER_SECONDS = 20;

  enum Part {
    none,
    idle,
    pause,
    restart
  }

  /** A failure that its message explains. */
  static final class Stopped extends Exception {
    private static final long serialVersionUID = 1;

    Stopped(String why) {
      super(why);
    }
  }

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(
      names = "--strategy",
      defaultValue = "group",
      description = "Strategy of the group: group, group-naive-transfer or primary-backup (default ${DEFAULT-VALUE}).")
  private String strategy;

  @Option(names = "--megabytes", defaultValue = "100", description = "State, 1 to 1000 MB (default ${DEFAULT-VALUE}).")
  private int megabytes;

  @Option(
      names = "--resource-kilobytes",
      defaultValue = "100",
      description = "State of one resource, 1 to 900 kB (default ${DEFAULT-VALUE}).")
  private int kilobytes;

  @Option(names = "--clients", defaultValue = "8", description = "Clients that write, 1 to 64 (default ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--warm-up",
      paramLabel = "SECONDS",
      defaultValue = "60",
      description = "Time for which the clients write before anything is measured, 1 to 600 s (default ${DEFAULT-VALUE}).")
  private int warmUp;

  @Option(
      names = "--parts",
      split = ",",
      paramLabel = "PART",
      description = "What to measure: ${COMPLETION-CANDIDATES} (default: all). idle is the group without a transfer.")
  private Set<Part> parts = EnumSet.allOf(Part.class);

  @Option(
      names = "--calls",
      paramLabel = "FILE",
      description = "Writes each update in the group to this file: client, begin and end in ns of the monotonic clock, commas between.")
  private Path calls;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of docs/configuration.md on every replica; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--port",
      defaultValue = "8900",
      description = "Base port: replica N uses this + N and this + 1000 + N (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec command;

  private Cluster cluster;

  public static void main(String[] arguments) {
    CommandLine program =
        new CommandLine(new TransferBench())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class, Stopped.class)));
    System.exit(program.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    require(megabytes >= 1 && megabytes <= 1_000, "--megabytes is from 1 to 1000, not " + megabytes + ".");
    require(kilobytes >= 1 && kilobytes <= 900, "--resource-kilobytes is from 1 to 900, not " + kilobytes + ".");
    require(clients >= 1 && clients <= 64, "--clients is from 1 to 64, not " + clients + ".");
    require(warmUp >= 1 && warmUp <= 600, "--warm-up is from 1 to 600, not " + warmUp + ".");
    require(STRATEGIES.contains(strategy), "--strategy is one of " + STRATEGIES + ", not " + strategy + ".");
    System.out.printf("%s, %d MB in resources of %d kB, %d clients%n", strategy, megabytes, kilobytes, clients);
    System.out.printf(
        "%-24s %10s %12s %10s %10s %10s %10s %9s%n", "", "member", "received", "median", "p99", "p99.9", "longest", "updates/s");
    if (parts.contains(Part.none)) {
      measureUnreplicated();
    }
    if (parts.equals(EnumSet.of(Part.none))) {
      return 0;
    }
    cluster = new Cluster(script, port, REPLICAS);
    System.err.println("Starting a group (" + strategy + ") …");
    cluster.run(up());
    try {
      cluster.awaitWhole();
      fill();
      measure();
    } finally {
      cluster.run("down");
    }
    return 0;
  }

  private void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new ParameterException(command.commandLine(), otherwise);
    }
  }

  private String[] up() {
    List<String> words = new ArrayList<>(List.of("up", "--replicas", "" + REPLICAS));
    words.addAll(List.of("--set", "understudy.strategy=" + strategy));
    words.addAll(List.of("--set", "understudy.state.bytes=" + (4L * megabytes << 20)));
    settings.forEach(setting -> words.addAll(List.of("--set", setting)));
    return words.toArray(String[]::new);
  }

  private void fill() {
    Progress progress = Progress.of("Filling");
    int count = Math.max(1, megabytes * 1_000 / kilobytes);
    try (FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(cluster.services()))) {
      CounterPortType factory =
          group.client(CounterPortType.class, CounterPortType.class.getResource("/wsdl/counter.wsdl"));
      CreateCounter create = new CreateCounter();
      create.setStateBytes(kilobytes * 1_000);
      for (int i = 1; i <= count; i++) {
        factory.createCounter(create);
        progress.accept((double) i / count);
      }
    }
  }

  private void measureUnreplicated() throws IOException, InterruptedException, Stopped {
    System.err.println("Starting a server (none) …");
    cluster = new Cluster(script, port, 1);
    cluster.run("up", "--replicas", "1", "--strategy", "none");
    try (Writers writers = new Writers(Collections.nCopies(clients, cluster.services()))) {
      Thread.sleep(warmUp * SECOND_MS);
      long begin = System.nanoTime();
      Thread.sleep(NO_TRANSFER_SECONDS * SECOND_MS);
      print("none", writers, begin, System.nanoTime(), -1);
    } finally {
      cluster.run("down");
    }
  }

  private void measure() throws IOException, InterruptedException, Stopped {
    List<List<URI>> services = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      services.add(cluster.services(1 + i % (REPLICAS - 1)));
    }
    try (Writers writers = new Writers(services)) {
      Thread.sleep(warmUp * SECOND_MS);
      if (parts.contains(Part.idle)) {
        long begin = System.nanoTime();
        Thread.sleep(NO_TRANSFER_SECONDS * SECOND_MS);
        print("no transfer", writers, begin, System.nanoTime(), -1);
      }
      if (parts.contains(Part.pause)) {
        leaveOut("pause");
        bring("after a pause of 3 s", writers, "resume");
      }
      if (parts.contains(Part.restart)) {
        leaveOut("kill");
        bring("after a restart", writers, "restart");
        long begin = System.nanoTime();
        Thread.sleep(CLIENTS_MOVE_SECONDS * SECOND_MS);
        print("while clients move to it", writers, begin, System.nanoTime(), -1);
      }
      if (calls != null) {
        writers.write(calls);
      }
    }
  }

  private void leaveOut(String how) throws IOException, InterruptedException {
    cluster.run(how, "" + JOINER);
    cluster.awaitFailover(JOINER);
    Thread.sleep(3 * SECOND_MS);
  }

  private void bring(String what, Writers writers, String how) throws IOException, InterruptedException, Stopped {
    int peers = port + PEER_PORTS + JOINER;
    ReceivedBytes before = ReceivedBytes.at(peers);
    long begin = System.nanoTime();
    cluster.run(how, "" + JOINER);
    cluster.awaitWhole();
    long end = System.nanoTime();
    long bytes = ReceivedBytes.at(peers).since(before);
    Thread.sleep(SECOND_MS);
    print(what, writers, begin, end + SECOND_MS * 1_000_000, bytes);
  }

  private static void print(String what, Writers writers, long begin, long end, long bytes) throws InterruptedException, Stopped {
    Samples samples = writers.between(begin, end);
    double seconds = (end - begin) / 1e9;
    System.out.printf(
        "%-24s %8.1f s %9.2f MB %7.1f ms %7.1f ms %7.1f ms %7.1f ms %9.0f%n",
        what,
        bytes < 0 ? 0 : seconds - 1,
        Math.max(0, bytes) / 1e6,
        samples.medianMicros() / 1e3,
        samples.p99Micros() / 1e3,
        samples.p999Micros() / 1e3,
        samples.maxMicros() / 1e3,
        samples.count() / seconds);
  }
}
