package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.understudy.lab.torture.network.Machines;

/**
 * A daemon of the Spread toolkit beside each replica, from the program that {@link #PROGRAM} names. It shares the replica's links, and no
 * other fault. Replicas reach it at the default of understudy.channel.spread.daemon.
 */
public final class SpreadDaemons {
  /** The environment variable with the path of the daemon's program. */
  public static final String PROGRAM = "SPREAD_PROGRAM";

  private static final int PORT = 4803;

  private SpreadDaemons() {}

  /** Starts them. They end with the enclosure. */
  public static void start(int replicas, Machines machines, Path folder) throws IOException {
    String user = System.getProperty("user.name");
    StringBuilder configuration = new StringBuilder("DebugFlags = { EXIT }\nSocketPortReuse = AUTO\nRuntimeDir = " + folder
        + "\nDaemonUser = " + user + "\nDaemonGroup = " + user + "\nTokenTimeout = 1000\nHurryTimeout = 250\nAliveTimeout = 120\n"
        + "JoinTimeout = 120\nRepTimeout = 300\nSegTimeout = 250\nGatherTimeout = 600\nFormTimeout = 600\nLookupTimeout = 2000\n");
    for (int n = 1; n <= replicas; n++) {
      String address = machines.address(n);
      configuration.append("Spread_Segment " + address + ":" + PORT + " { d" + n + " " + address + " { D " + address
          + " C 127.0.0.1 } }\n");
    }
    Path file = Files.writeString(folder.resolve("spread.conf"), configuration);
    for (int n = 1; n <= replicas; n++) {
      List<String> command = new ArrayList<>(machines.prefix(n));
      command.addAll(List.of(System.getenv(PROGRAM), "-n", "d" + n, "-c", file.toString()));
      new ProcessBuilder(command)
          .redirectErrorStream(true).redirectOutput(folder.resolve("spread" + n + ".log").toFile()).start();
    }
  }
}
