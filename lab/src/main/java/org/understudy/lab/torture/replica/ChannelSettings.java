package org.understudy.lab.torture.replica;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.understudy.lab.torture.network.Machines;
import org.understudy.lab.torture.network.Shell;

/** The configuration of a group channel: lines of understudy.properties that are the same at every replica. */
public final class ChannelSettings {
  private static final int JGROUPS_PORT = 7800;
  private static final String PASSWORD = "torture";

  private ChannelSettings() {}

  /**
   * Returns the lines. For JGroups, which demands TLS unless all addresses are loopback addresses, makes a key store for all replicas.
   *
   * @param channel its name
   * @param folder of the run
   * @throws IOException when keytool fails
   */
  public static List<String> of(String channel, int replicas, Machines machines, Path folder) throws IOException, InterruptedException {
    List<String> lines = new ArrayList<>(List.of("understudy.channel=" + channel));
    if (channel.equals("jgroups")) {
      lines.add("understudy.channel.jgroups.addresses=" + all(replicas, ",", n -> n + "=" + machines.address(n) + ":" + JGROUPS_PORT));
      Path store = folder.resolve("peers.p12");
      Shell.run(Path.of(System.getProperty("java.home"), "bin", "keytool") + " -genkeypair -alias peers -keyalg EC -validity 2"
          + " -dname CN=torture -ext san=" + all(replicas, ",", n -> "ip:" + machines.address(n)) + " -storetype PKCS12"
          + " -keystore " + store + " -storepass " + PASSWORD);
      lines.add("understudy.peer.key.store=" + store);
      lines.add("understudy.peer.key.store.password=" + PASSWORD);
      lines.add("understudy.peer.trust.store=" + store);
      lines.add("understudy.peer.trust.store.password=" + PASSWORD);
    }
    return lines;
  }

  private static String all(int replicas, String separator, java.util.function.IntFunction<String> value) {
    return IntStream.rangeClosed(1, replicas).mapToObj(value).collect(Collectors.joining(separator));
  }
}
