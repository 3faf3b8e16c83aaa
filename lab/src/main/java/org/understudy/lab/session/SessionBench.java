package org.understudy.lab.session;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.understudy.lab.report.BenchOptions;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import org.understudy.lab.report.Progress;
import org.understudy.lab.session.RoundTrips.Cell;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Starts Tomcats with replicated sessions, measures them in turns, and writes tables and a report. */
@Command(
    name = "scripts/session-bench",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Measures on this machine the round trips of requests that change an HttpSession of 10 B to 100 kB: replicated by the session "
          + "manager of this project, by Tomcat's DeltaManager and by its BackupManager (synchronous, acknowledged, without multicast), "
          + "three Tomcats each, and by one Tomcat that does not replicate.",
      "Each answer is checked, and before anything is counted every other Tomcat must show a session's last change. Writes "
          + "sessions.csv and report.html."
    })
public final class SessionBench implements Callable<Integer> {
  private static final long START_SECONDS = 60;

  @Option(names = "--quick", description = "A smaller run with cold JVMs: under a minute instead of seven.")
  private boolean quick;

  @Option(
      names = "--warm-up",
      paramLabel = "CALLS",
      description = "Requests of each content at each server that are not counted.")
  private Integer warmUp;

  @Option(names = "--calls", paramLabel = "CALLS", description = "Requests of each content at each server.")
  private Integer calls;

  @Option(
      names = "--journal",
      description = "Measures the session manager without and with a journal (journal=\"disk\"), instead of Tomcat's cluster.")
  private boolean journal;

  @Mixin private final BenchOptions common = new BenchOptions("session-bench", 8_500);

  public static void main(String[] arguments) {
    CommandLine program =
        new CommandLine(new SessionBench())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)));
    System.exit(program.execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    Scale scale = scale();
    if (!scale.isWarm()) {
      System.out.println("The JVMs are not warm (" + scale.warmUp() + " requests, warm from " + Scale.FULL.warmUp()
          + "): times are several times those of warm servers, and ratios are rough.");
    }
    Files.createDirectories(common.out());
    Path files = Files.createTempDirectory("session-bench");
    Map<Setup, Servers> servers = new EnumMap<>(Setup.class);
    // Also when the program is interrupted.
    Runnable closing = () -> servers.values().forEach(Servers::close);
    Thread end = new Thread(closing, "end of servers");
    Runtime.getRuntime().addShutdownHook(end);
    System.err.println("The files and logs of the servers are in " + files + " until the program ends without a failure.");
    measure(scale, files, servers);
    Runtime.getRuntime().removeShutdownHook(end);
    closing.run();
    remove(files);
    return 0;
  }

  private void measure(Scale scale, Path files, Map<Setup, Servers> servers) throws IOException, InterruptedException {
    Map<Cell, SessionClient> clients = new LinkedHashMap<>();
    try {
      for (Setup setup : journal ? Setup.JOURNALS : Setup.CLUSTERS) {
        Servers some = new Servers(setup, Ports.from(common.port()), common.root(), files);
        servers.put(setup, some);
        System.err.println("Starting " + setup.label() + " …");
        some.start();
        awaitReplication(setup, some);
        for (int server = 1; server <= setup.servers(); server++) {
          for (Content content : Content.ALL) {
            clients.put(new Cell(setup, server, content), new SessionClient(some.address(server), content));
          }
        }
      }
      RoundTrips roundTrips = new RoundTrips(clients);
      roundTrips.warmUp(scale.warmUp(), scale.batch(), Progress.of("Warming up"));
      roundTrips.measure(scale.calls(), scale.batch(), Progress.of("Round trips"));
      Tables.write(roundTrips, common.out());
      Tables.print(roundTrips);
      new Report(roundTrips, scale).write(common.out().resolve("report.html"));
      System.err.println("Written: " + common.out().resolve("report.html") + " and sessions.csv beside it.");
    } finally {
      for (SessionClient client : clients.values()) {
        client.close();
      }
    }
  }

  /** Waits until each server shows what a session at each other one has changed. */
  private static void awaitReplication(Setup setup, Servers servers) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
    for (int server = 1; server <= setup.servers(); server++) {
      while (!isReplicated(setup, servers, server)) {
        servers.checkAlive();
        if (System.nanoTime() > end) {
          throw new IOException("Server " + server + " of " + setup.label() + " does not replicate a session after " + START_SECONDS
              + " s.");
        }
        TimeUnit.MILLISECONDS.sleep(200);
      }
    }
  }

  private static boolean isReplicated(Setup setup, Servers servers, int server) {
    URI own = servers.address(server);
    try (SessionClient client = new SessionClient(own, Content.ALL.get(0))) {
      client.update();
      client.update();
      for (int other = 1; other <= setup.servers(); other++) {
        if (!client.isShownBy(servers.address(other))) {
          return false;
        }
      }
      return true;
    } catch (IOException e) {
      // Not up yet.
      return false;
    }
  }

  private Scale scale() {
    Scale defaults = quick ? Scale.QUICK : Scale.FULL;
    return new Scale(
        common.atLeastOne("--warm-up", warmUp, defaults.warmUp()),
        common.atLeastOne("--calls", calls, defaults.calls()),
        defaults.batch());
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
