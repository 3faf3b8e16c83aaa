package org.understudy.test.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.understudy.test.process.Program;

/**
 * Free ports for {@code scripts/cluster --port} and the programs that use it. A process holds each that it was given until it ends, so
 * that builds beside each other have groups of their own.
 *
 * <p>They lie above {@link FreePorts} and below the ports that the system gives outgoing connections.
 */
public final class ClusterPorts {
  private static final int LOWEST = 28_000;
  private static final int END = 29_000;
  /** Of one group. */
  private static final int PORTS = 10;
  /** Where the replicas serve, where they connect to each other, JGroups, and the database. */
  private static final int KINDS = 4;
  private static final int BETWEEN_KINDS = END - LOWEST;
  private static final List<ServerSocket> HELD = new ArrayList<>();

  private ClusterPorts() {}

  /** Returns one, a multiple of ten. No group listens at it; replica N serves at the port N above it. */
  public static int next() throws IOException, InterruptedException {
    return next(1);
  }

  /** Returns the first of several, ten apart, for a program that has so many groups. */
  public static synchronized int next(int groups) throws IOException, InterruptedException {
    for (int first = LOWEST; first + groups * PORTS <= END; first += PORTS) {
      List<ServerSocket> taken = new ArrayList<>();
      while (taken.size() < groups && take(first + taken.size() * PORTS, taken)) {
        // The next one.
      }
      if (taken.size() == groups) {
        HELD.addAll(taken);
        return first;
      }
      for (ServerSocket one : taken) {
        one.close();
      }
    }
    throw new IOException("The ports for groups, " + LOWEST + " to " + (END - 1) + ", are in use. End what listens there: other builds, or"
        + " replicas that an interrupted build has left running.");
  }

  private static boolean take(int port, List<ServerSocket> taken) throws IOException, InterruptedException {
    ServerSocket held = listening(port);
    if (held == null) {
      return false;
    }
    endEarlierGroup(port);
    for (int other = 1; other < KINDS * PORTS; other++) {
      ServerSocket free = listening(port + other / PORTS * BETWEEN_KINDS + other % PORTS);
      if (free == null) {
        held.close();
        return false;
      }
      free.close();
    }
    return taken.add(held);
  }

  /** Null where another process listens. */
  private static ServerSocket listening(int port) {
    try {
      return new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
    } catch (IOException e) {
      return null;
    }
  }

  /** Ends the group that an interrupted build of this clone has left running at this port. */
  private static void endEarlierGroup(int port) throws IOException, InterruptedException {
    if (Files.isDirectory(root().resolve(".cluster/" + port))) {
      String script = root().resolve("scripts/cluster").toString();
      Program.run(root(), Duration.ofMinutes(1), List.of(script, "down", "--port", Integer.toString(port)));
    }
  }

  /** A module's tests run in its directory. */
  private static Path root() throws IOException {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.exists(at.resolve("scripts/cluster"))) {
        return at;
      }
    }
    throw new IOException("No directory above " + Path.of("").toAbsolutePath() + " has scripts/cluster.");
  }
}
