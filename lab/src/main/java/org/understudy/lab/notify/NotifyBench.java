package org.understudy.lab.notify;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.understudy.counter.UnknownCounter;
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

/** Subscribes many consumers to a counter, updates it, kills its primary, and writes tables and a report. */
@Command(
    name = "scripts/notify-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine how long an update takes to reach 1 to 10,000 subscribers in another process, one in a "
          + "hundred of whom never answers; what they cost the request that causes it, in heap and in threads; and how "
          + "long a failover takes with so many subscriptions.",
      "Writes notify.csv, failover-subscriptions.csv and report.html. Ends with status 1 when a consumer that answers "
          + "misses a notification, before a failover or after it."
    })
public final class NotifyBench implements Callable<Integer> {
  private static final int REPLICAS = 3;

  /** The number of other files and connections that a JVM with Tomcat has open. */
  private static final int OTHER_FILES = 1_000;

  private static final int MAX_SUBSCRIBERS = 100_000;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(
      names = "--subscribers",
      paramLabel = "COUNT",
      split = ",",
      description = "Subscribers of one counter, 1 to 100,000 (default 1,100,1000,10000; with --quick 1,100).")
  private List<Integer> subscribers;

  @Option(names = "--quick", description = "A smaller run: about one minute instead of ten.")
  private boolean quick;

  @Option(names = "--warm-up", paramLabel = "UPDATES", description = "Updates in each group that are not counted.")
  private Integer warmUp;

  @Option(names = "--updates", paramLabel = "COUNT", description = "Updates of each number of subscribers.")
  private Integer updates;

  @Option(names = "--failovers", paramLabel = "COUNT", description = "Failovers with one and with the most subscribers.")
  private Integer failoverCount;

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "Overrides a key of docs/configuration.md on every replica; may be repeated.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "notify-bench",
      description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      defaultValue = "8800",
      description = "Base port: replica N uses this + N and this + 1000 + N (default ${DEFAULT-VALUE}).")
  private int port;

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    CommandLine program =
        new CommandLine(new NotifyBench())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)));
    System.exit(program.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Scale scale = scale();
    int max = scale.subscribers().get(scale.subscribers().size() - 1);
    checkFiles(max, openFilesAllowed());
    Files.createDirectories(out);
    List<Deliveries> deliveries = new ArrayList<>();
    List<Failovers> failovers = new ArrayList<>();
    for (int count : new TreeSet<>(List.of(1, max))) {
      failovers.add(new Failovers(count));
    }
    try (SinkProcess sinks = new SinkProcess()) {
      for (int count : scale.subscribers()) {
        deliveries.add(deliveries(count, scale, sinks));
      }
      Tables.write(deliveries, out);
      Tables.print(deliveries);
      failOver(failovers, scale, sinks);
      Tables.writeFailovers(failovers, out);
      Tables.printFailovers(failovers);
    }
    new Report(deliveries, failovers, scale).write(out.resolve("report.html"));
    System.err.println("Written: " + out.resolve("report.html") + " and two CSV files beside it.");
    return 0;
  }

  private Deliveries deliveries(int count, Scale scale, SinkProcess sinks)
      throws IOException, InterruptedException, UnknownCounter {
    System.err.printf("Starting a group for %,d subscribers …%n", count);
    Deliveries deliveries = new Deliveries(count);
    Cluster cluster = new Cluster(script, port, REPLICAS);
    try (Group group = new Group(cluster, settings, sinks)) {
      deliveries.measure(group, scale.warmUp(), scale.updates(count), Progress.of("Updates"));
    } finally {
      cluster.run("down");
    }
    return deliveries;
  }

  /** In turns, each in a group of its own, because a restarted primary is not comparable. */
  private void failOver(List<Failovers> failovers, Scale scale, SinkProcess sinks)
      throws IOException, InterruptedException, UnknownCounter {
    for (int round = 1; round <= scale.failovers(); round++) {
      for (Failovers of : failovers) {
        System.err.printf("Failover %d of %d with %,d subscribers …%n", round, scale.failovers(), of.subscribers());
        Cluster cluster = new Cluster(script, port, REPLICAS);
        try (Group group = new Group(cluster, settings, sinks)) {
          of.measure(group, scale.warmUp());
        } finally {
          cluster.run("down");
        }
      }
    }
  }

  private Scale scale() {
    Scale scale = quick ? Scale.QUICK : Scale.FULL;
    if (subscribers != null) {
      for (int count : subscribers) {
        if (count < 1 || count > MAX_SUBSCRIBERS) {
          throw new ParameterException(
              command.commandLine(), "--subscribers are from 1 to " + MAX_SUBSCRIBERS + ", not " + count + ".");
        }
      }
      scale = scale.withSubscribers(List.copyOf(new TreeSet<>(subscribers)));
    }
    if (updates != null) {
      scale = scale.withUpdates(Arguments.atLeastOne(command, "--updates", updates, 1));
    }
    return scale
        .withWarmUp(Arguments.atLeastOne(command, "--warm-up", warmUp, scale.warmUp()))
        .withFailovers(Arguments.atLeastOne(command, "--failovers", failoverCount, scale.failovers()));
  }

  /** The consumers' process accepts as many connections as the primary opens; both have this process's limit. */
  static void checkFiles(int mostSubscribers, long allowed) throws IOException {
    long needed = (long) mostSubscribers + OTHER_FILES;
    if (allowed < needed) {
      throw new IOException(
          String.format(
              "%,d subscribers need %,d open files a process, but only %,d are allowed. Raise the limit (ulimit -n "
              + "%d; as root "
                  + "ulimit -Hn first), or set a smaller --subscribers.",
              mostSubscribers, needed, allowed, needed));
    }
  }

  private static long openFilesAllowed() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : Long.MAX_VALUE;
  }
}
