package org.understudy.test.channel;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.understudy.test.network.FreePorts;

/** Three daemons of the Spread toolkit on this machine, started from the program that {@link #PROGRAM} names. */
public class SpreadDaemons implements AutoCloseable {
  /** The environment variable with the path of the daemon's program. */
  public static final String PROGRAM = "SPREAD_PROGRAM";

  /** Why tests that need {@link #PROGRAM} are skipped. */
  public static final String NO_PROGRAM =
      "SPREAD_PROGRAM does not name the program of a Spread daemon, so no daemon is started, stopped or killed "
          + "(SPREAD_DAEMON alone does not suffice).";

  protected static final int COUNT = 3;

  private final Path directory;
  private final List<Integer> ports = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();

  /** Starts them; they are not ready when this returns. */
  public SpreadDaemons(Path directory) throws IOException {
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
  }

  private int freePort() {
    int port = FreePorts.next();
    // A daemon uses the next port too.
    return ports.stream().anyMatch(other -> Math.abs(other - port) < 4) ? freePort() : port;
  }

  public InetSocketAddress address(int daemon) {
    return new InetSocketAddress("127.0.0.1", ports.get(daemon - 1));
  }

  public final void start(int daemon) throws IOException {
    Process process =
        new ProcessBuilder(System.getenv(PROGRAM), "-n", "d" + daemon, "-c", directory.resolve("spread.conf").toString())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("d" + daemon + ".log").toFile())
            .start();
    processes.set(daemon - 1, process);
  }

  public void kill(int daemon) throws InterruptedException {
    Process process = processes.get(daemon - 1);
    process.destroyForcibly();
    process.waitFor(10, TimeUnit.SECONDS);
  }

  public void signal(int daemon, String signal) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + signal, Long.toString(processes.get(daemon - 1).pid())).start().waitFor();
  }

  /** Returns when they have ended: the next ones may use a port beside theirs. */
  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    processes.forEach(process -> process.onExit().join());
  }
}
