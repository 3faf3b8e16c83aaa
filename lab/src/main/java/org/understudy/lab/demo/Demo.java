package org.understudy.lab.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.lab.cluster.Cluster;
import org.understudy.lab.report.InvalidArguments;
import org.understudy.lab.report.KnownFailures;
import org.understudy.thread.DaemonThreads;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Loads three replicas with clients, kills and pauses replicas, and then checks the results. */
@Command(
    name = "scripts/demo",
    mixinStandardHelpOptions = true,
    description = "Starts three replicas, runs clients against them, kills the primary twice and pauses it once,"
        + " and checks the state of the service against what was acknowledged. With the strategy group, each replica has"
        + " clients, and the faults hit the sequencer twice and another member once. The last line is PASS or FAIL.")
public final class Demo implements Callable<Integer> {
  private static final int REPLICAS = 3;

  @Option(names = "--cluster", hidden = true, required = true)
  private Path script;

  @Option(names = "--clients", defaultValue = "16", description = "Concurrent clients (default ${DEFAULT-VALUE}).")
  private int clients;

  @Option(
      names = "--port",
      defaultValue = "8480",
      description = "Replica N listens at this port + N (default ${DEFAULT-VALUE}).")
  private int port;

  @Option(
      names = "--pace",
      paramLabel = "SECONDS",
      defaultValue = "5",
      description = "Time between a failover and the next fault (default ${DEFAULT-VALUE}).")
  private int pace;

  @Option(
      names = "--service",
      paramLabel = "NAME",
      defaultValue = "counter",
      description = "counter or matchmaker (default ${DEFAULT-VALUE}).")
  private String service;

  @Option(names = "--tomcat", paramLabel = "DIR", description = "An unpacked Tomcat 10.1 or 11 instead of the build's.")
  private Path tomcat;

  @Option(
      names = "--strategy",
      paramLabel = "NAME",
      defaultValue = "primary-backup",
      description = "primary-backup or group (default ${DEFAULT-VALUE}).")
  private String strategy;

  @Option(
      names = "--channel",
      paramLabel = "NAME",
      description = "The group channel of the strategy group: log, jgroups or spread.")
  private String channel;

  @Option(
      names = "--transfer",
      defaultValue = "socket",
      description = "How state updates travel: socket, call or notification (default ${DEFAULT-VALUE}).")
  private String transfer;

  @Spec private CommandSpec command;

  private final AtomicBoolean stop = new AtomicBoolean();
  private final Faults faults = new Faults();
  private final AtomicLong replayed = new AtomicLong();

  public static void main(String[] arguments) {
    System.exit(commandLine().execute(arguments));
  }

  static CommandLine commandLine() {
    return new CommandLine(new Demo())
        .setParameterExceptionHandler(new InvalidArguments())
        .setExecutionExceptionHandler(new KnownFailures(List.of(IOException.class)));
  }

  @Override
  public Integer call() throws Exception {
    check(clients >= 1, "--clients is 1 at least, not " + clients + ".");
    check(pace >= 1, "--pace is 1 at least, not " + pace + ".");
    check(List.of("primary-backup", "group").contains(strategy), "--strategy is primary-backup or group, not " + strategy + ".");
    check(List.of("socket", "call", "notification").contains(transfer),
        "--transfer is socket, call or notification, not " + transfer + ".");
    check(channel == null || isGroup(), "--channel needs --strategy group: " + strategy + " takes no channel.");
    check(channel == null || List.of("log", "jgroups", "spread").contains(channel),
        "--channel is log, jgroups or spread, not " + channel + ".");
    Workload workload =
        Stream.of(new CounterWorkload(), new MatchmakerWorkload())
            .filter(known -> known.service().equals(service))
            .findFirst()
            .orElse(null);
    check(workload != null, "--service is counter or matchmaker, not " + service + ".");
    Cluster cluster = new Cluster(script, port, REPLICAS, service, workload.endpoint());
    say("Starting three replicas of " + service + ", strategy " + strategy + ", transfer mode " + transfer + " …");
    List<String> up = new ArrayList<>(List.of("up", "--service", service, "--strategy", strategy, "--transfer", transfer));
    if (channel != null) {
      up.addAll(List.of("--channel", channel));
    }
    if (tomcat != null) {
      up.addAll(List.of("--tomcat", tomcat.toAbsolutePath().toString()));
    }
    cluster.run(up.toArray(new String[0]));
    try {
      new GeneratedClient().check(cluster.wsdl(1));
      say("Generated a client from " + cluster.wsdl(1) + " and compiled it.");
      return load(cluster, workload) ? 0 : 1;
    } finally {
      cluster.run("down");
    }
  }

  private void check(boolean valid, String otherwise) {
    if (!valid) {
      throw new ParameterException(command.commandLine(), otherwise);
    }
  }

  private boolean load(Cluster cluster, Workload workload) throws Exception {
    List<Account> accounts = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < clients; i++) {
      Account account = new Account();
      accounts.add(account);
      int number = i;
      Thread thread = DaemonThreads.daemon("client-" + i, () -> client(cluster, workload, number, account));
      threads.add(thread);
      thread.start();
    }
    Thread progress = DaemonThreads.daemon("progress", () -> progress(accounts));
    progress.start();
    cause(cluster, accounts);
    stop.set(true);
    for (Thread thread : threads) {
      thread.join(TimeUnit.SECONDS.toMillis(90));
    }
    progress.interrupt();
    System.err.println();
    return new Verdict(accounts, faults, replayed.get(), clients).print();
  }

  private void cause(Cluster cluster, List<Account> accounts) throws IOException, InterruptedException {
    pause();
    int first = cluster.awaitWhole();
    fault("kill -9 of the " + leader() + ", replica " + first, cluster, "kill", first, accounts);
    act("restart of replica " + first, cluster, "restart", first);
    int second = cluster.awaitWhole();
    fault("SIGSTOP of the " + leader() + ", replica " + second, cluster, "pause", second, accounts);
    act("SIGCONT of replica " + second, cluster, "resume", second);
    int leads = cluster.awaitWhole();
    int third = isGroup() ? leads % REPLICAS + 1 : leads;
    fault("kill -9 of " + (isGroup() ? "another member" : "the primary") + ", replica " + third, cluster, "kill", third, accounts);
    act("restart of replica " + third, cluster, "restart", third);
    cluster.awaitWhole();
    pause();
  }

  private void fault(String what, Cluster cluster, String command, int replica, List<Account> accounts)
      throws IOException, InterruptedException {
    Faults.Fault fault = faults.causes(replica, cluster.services(replica).get(0), !isGroup() || clients >= replica);
    act(what, cluster, command, replica);
    int leads = cluster.awaitFailover(replica);
    say("replica " + leads + " is " + leader());
    awaitCalls(accounts);
    fault.awaitFollowed();
    pause();
  }

  private boolean isGroup() {
    return strategy.equals("group");
  }

  private String leader() {
    return isGroup() ? "sequencer" : "primary";
  }

  /** Waits until every client has begun and ended a call. */
  private static void awaitCalls(List<Account> accounts) throws IOException, InterruptedException {
    int[] before = accounts.stream().mapToInt(Account::calls).toArray();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    for (int i = 0; i < before.length; i++) {
      while (accounts.get(i).calls() < before[i] + 2) {
        if (System.nanoTime() > end) {
          throw new IOException("Client " + i + " has had no answer for 60 s after a failover.");
        }
        TimeUnit.MILLISECONDS.sleep(10);
      }
    }
  }

  private void act(String what, Cluster cluster, String command, int replica) throws IOException, InterruptedException {
    System.err.println();
    say(what);
    cluster.run(command, Integer.toString(replica));
  }

  private void pause() throws InterruptedException {
    TimeUnit.SECONDS.sleep(pace);
  }

  private void client(Cluster cluster, Workload workload, int number, Account account) {
    int preferred = number % REPLICAS + 1;
    List<URI> services = cluster.services(preferred);
    FaultTolerance settings = FaultTolerance.custom().replicas(services).preferred(services.get(0)).build();
    try (FaultTolerantGroup group = FaultTolerant.group(settings)) {
      faults.add(group::servers);
      workload.run(number, group, account, stop::get);
      replayed.addAndGet(group.replayed());
    } catch (Exception e) {
      account.unknown(e.toString());
    }
  }

  private static void progress(List<Account> accounts) {
    long before = 0;
    try {
      while (true) {
        TimeUnit.SECONDS.sleep(1);
        long now = accounts.stream().mapToLong(Account::calls).sum();
        int slow = accounts.stream().mapToInt(Account::outages).sum();
        System.err.printf("\r%,10d calls, %,7d a second, %d slow so far   ", now, now - before, slow);
        before = now;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void say(String what) {
    System.err.println(what);
  }
}
