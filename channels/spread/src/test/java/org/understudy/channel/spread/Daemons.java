package org.understudy.channel.spread;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** Three real daemons on this machine, started from the program that SPREAD_PROGRAM names. */
final class Daemons implements AutoCloseable {
  /** The environment variable with the path of the daemon's program. */
  static final String PROGRAM = "SPREAD_PROGRAM";

  private static final int COUNT = 3;

  private final Path directory;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();

  Daemons(Path directory) throws IOException {
    this.directory = directory;
    StringBuilder configuration = new StringBuilder("DebugFlags = { EXIT }\nSocketPortReuse = AUTO\n");
    String user = System.getProperty("user.name");
    configuration.append("RuntimeDir = ").append(directory).append("\nDaemonUser = ").append(user).append("\nDaemonGroup = ")
        .append(user).append('\n');
    configuration.append(
        "TokenTimeout = 1000\nHurryTimeout = 250\nAliveTimeout = 120\nJoinTimeout = 120\nRepTimeout = 300\nSegTimeout = 250\n"
            + "GatherTimeout = 600\nFormTimeout = 600\nLookupTimeout = 2000\n");
    for (int i = 1; i <= COUNT; i++) {
      int port = freePort();
      ports.add(port);
      configuration.append("Spread_Segment 127.0.0.1:" + port + " { d" + i + " 127.0.0.1 { D 127.0.0.1 C 127.0.0.1 } }\n");
      processes.add(null);
    }
    Files.writeString(directory.resolve("spread.conf"), configuration);
    for (int i = 1; i <= COUNT; i++) {
      start(i);
    }
    awaitOneMembership();
  }

  /** Waits until sessions at all daemons are in one group. */
  void awaitOneMembership() throws IOException {
    List<DaemonSession> sessions = new ArrayList<>();
    try {
      for (int i = 1; i <= COUNT; i++) {
        DaemonSession session = session(i);
        sessions.add(session);
        session.write(List.of(session.encoder().join("ready")));
      }
      int members = 0;
      while (members < COUNT) {
        members = sessions.get(0).next() instanceof SessionEvent.Membership membership ? membership.members().size() : members;
      }
    } finally {
      sessions.forEach(DaemonSession::close);
    }
  }

  private DaemonSession session(int daemon) {
    AtomicReference<DaemonSession> session = new AtomicReference<>();
    Condition.await("daemon " + daemon, () -> {
      try {
        session.set(DaemonSession.open(address(daemon), "ready" + daemon));
        return true;
      } catch (IOException e) {
        return false;
      }
    });
    return session.get();
  }

  private int freePort() {
    int port = FreePorts.next();
    // A daemon uses the next port too.
    return ports.stream().anyMatch(other -> Math.abs(other - port) < 4) ? freePort() : port;
  }

  InetSocketAddress address(int daemon) {
    return new InetSocketAddress("127.0.0.1", ports.get(daemon - 1));
  }

  void start(int daemon) throws IOException {
    Process process =
        new ProcessBuilder(System.getenv(PROGRAM), "-n", "d" + daemon, "-c", directory.resolve("spread.conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("d" + daemon + ".log").toFile())
            .start();
    processes.set(daemon - 1, process);
  }

  void kill(int daemon) throws InterruptedException {
    Process process = processes.get(daemon - 1);
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }

  void signal(int daemon, String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(processes.get(daemon - 1).pid())).start().waitFor();
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
  }
}
