package org.understudy.lab.attack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.cluster.CounterAddress;
import org.understudy.lab.cluster.Envelopes;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a group, attacks it in every way of {@link Attacks}, and accounts for what its honest clients saw. */
@Command(
    name = "scripts/attack",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Attacks a group on this machine, and the replicated sessions of a shop beside it, as a client without their secret can, one "
          + "attack after another, while honest clients use both, and prints for each attack what was served, rejected and "
          + "disconnected, the longest wait of an honest client, the largest heap of a replica before and after, the most "
          + "that its direct buffers take, the temporary files that stay, and how many answers had each HTTP status. The longest "
          + "waits include the load of an attack on the same processors.",
      "Writes attack.csv. Ends with status 1 when an honest client was not served, a temporary file stays, or a replica "
          + "did not survive."
    })
public final class AttackCommand implements Callable<Integer> {
  private static final int REPLICAS = 3;
  private static final int PEERS = 1_000;
  /** Of the session managers. */
  private static final int SESSION_PEERS = 4_000;
  private static final int MAX_QUIET_SECONDS = 5;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Duration of each attack, 1 to 3600 (default ${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--scale",
      defaultValue = "1",
      description = "Share of the connections and requests, above 0 to 10 (default ${DEFAULT-VALUE}: the load that "
          + "once stopped a group).")
  private double scale;

  @Option(names = "--only", paramLabel = "TEXT", description = "Only attacks whose name contains this.")
  private String only = "";

  @Option(
      names = "--transfer",
      defaultValue = "socket",
      description = "Transfer mode: socket, call or notification (default ${DEFAULT-VALUE}).")
  private String transfer;

  @Option(
      names = "--from",
      defaultValue = "127.0.0.66",
      description = "The attacker's address, a loopback one (default ${DEFAULT-VALUE}).")
  private InetAddress from;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      defaultValue = "attack",
      description = "Output directory (default ${DEFAULT-VALUE}).")
  private Path out;

  @Option(
      names = "--port",
      defaultValue = "8900",
      description = "Base port: replica N uses this + N, this + 1000 + N and this + 4000 + N (default ${DEFAULT-VALUE}).")
  private int port;

  @Option(names = "--set", hidden = true, paramLabel = "KEY=VALUE")
  private List<String> settings = new ArrayList<>();

  @Spec private CommandSpec command;

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new AttackCommand())
            .setParameterExceptionHandler(new InvalidArguments())
            .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)))
            .execute(arguments));
  }

  @Override
  public Integer call() throws Exception {
    if (seconds < 1 || seconds > 3_600) {
      throw new ParameterException(command.commandLine(), "--seconds is from 1 to 3600, not " + seconds + ".");
    }
    if (!(scale > 0 && scale <= 10)) {
      throw new ParameterException(command.commandLine(), "--scale is above 0 and at most 10, not " + scale + ".");
    }
    if (!from.isLoopbackAddress()) {
      throw new ParameterException(command.commandLine(), "--from is a loopback address, not " + from.getHostAddress() + ".");
    }
    Cluster cluster = new Cluster(script, port, REPLICAS);
    System.err.println("Starting three replicas, transfer mode " + transfer + " …");
    List<String> up = new ArrayList<>(List.of(
        "up", "--cart", "--transfer", transfer, "--set", "understudy.trusted.proxies=" + Target.proxy(from).getHostAddress()));
    settings.forEach(setting -> up.addAll(List.of("--set", setting)));
    cluster.run(up.toArray(new String[0]));
    try {
      cluster.awaitWhole();
      return attack(cluster) ? 0 : 1;
    } finally {
      cluster.run("down");
    }
  }

  private boolean attack(Cluster cluster) throws Exception {
    Target target = target(cluster);
    URI service = cluster.services().get(0);
    String counter =
        CounterAddress.in(target.exchange(target.http().get(0), target.post(service.getPath(), Envelopes.createCounter(0)))
            .body()).getRawPath();
    List<Attack> attacks = new ArrayList<>();
    for (Attack attack : Attacks.all(target, counter, scale)) {
      if (attack.name().contains(only)) {
        attacks.add(attack);
      }
    }
    if (attacks.isEmpty()) {
      throw new ParameterException(command.commandLine(), "No attack has \"" + only + "\" in its name.");
    }
    AttackTable table = new AttackTable();
    try (HonestClients honest = new HonestClients(cluster);
        ReplicaResources resources = new ReplicaResources(cluster, REPLICAS)) {
      Duration quiet = Duration.ofSeconds(Math.min(seconds, MAX_QUIET_SECONDS));
      Deadline.in(quiet).pause(quiet);
      table.quiet(honest.next());
      ReplicaResources.Measured before = resources.measure();
      for (Attack attack : attacks) {
        Tally tally = new Tally();
        attack.run(target, tally, Deadline.in(Duration.ofSeconds(seconds)));
        cluster.awaitWhole();
        HonestClients.Service seen = honest.next();
        ReplicaResources.Measured after = resources.measure();
        table.add(attack.name(), tally, seen, before, after);
        before = after;
      }
    }
    Files.createDirectories(out);
    table.write(out.resolve("attack.csv"));
    return table.verdict();
  }

  private Target target(Cluster cluster) {
    List<InetSocketAddress> http = new ArrayList<>();
    List<InetSocketAddress> peers = new ArrayList<>();
    for (int n = 1; n <= REPLICAS; n++) {
      http.add(new InetSocketAddress("127.0.0.1", port + n));
      peers.add(new InetSocketAddress("127.0.0.1", port + PEERS + n));
      peers.add(new InetSocketAddress("127.0.0.1", port + SESSION_PEERS + n));
    }
    return new Target(from, http, peers, cluster.services().get(0).getPath());
  }
}
