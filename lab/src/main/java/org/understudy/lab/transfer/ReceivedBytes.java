package org.understudy.lab.transfer;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The bytes that other replicas have sent to a replica over the connections that are open now; from the program ss. */
final class ReceivedBytes {
  private static final Pattern RECEIVED = Pattern.compile("bytes_received:(\\d+)");
  private static final Pattern PEER = Pattern.compile("(\\S+:\\d+)\\s+(\\S+:\\d+)");

  private final Map<String, Long> byConnection;

  private ReceivedBytes(Map<String, Long> byConnection) {
    this.byConnection = byConnection;
  }

  /** @param port on which the replica accepts connections of others */
  static ReceivedBytes at(int port) throws IOException, InterruptedException {
    Process process = new ProcessBuilder("ss", "-tinHO", "sport", "=", ":" + port).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IOException("ss failed: " + said);
    }
    Map<String, Long> bytes = new TreeMap<>();
    for (String line : said.split("\n")) {
      Matcher peer = PEER.matcher(line);
      Matcher received = RECEIVED.matcher(line);
      if (peer.find() && received.find()) {
        bytes.put(peer.group(), Long.parseLong(received.group(1)));
      }
    }
    return new ReceivedBytes(bytes);
  }

  /** The bytes received since. */
  long since(ReceivedBytes before) {
    long bytes = 0;
    for (Map.Entry<String, Long> connection : byConnection.entrySet()) {
      bytes += connection.getValue() - before.byConnection.getOrDefault(connection.getKey(), 0L);
    }
    return bytes;
  }
}
