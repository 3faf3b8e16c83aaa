package ${package};

import java.io.IOException;
import java.io.Writer;
import java.net.HttpURLConnection;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;

/** Replicas of the web application, each a JVM with a Tomcat on this machine. */
final class ReplicaGroup implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final List<Integer> ports = new ArrayList<>();
  private final List<Process> processes = new ArrayList<>();
  private final Path directory;

  /** Starts a group, and waits until every replica is ready. */
  ReplicaGroup(Path directory, int replicas) throws IOException, InterruptedException {
    this.directory = directory;
    StringJoiner urls = new StringJoiner(",");
    StringJoiner peers = new StringJoiner(",");
    List<ServerSocket> reserved = new ArrayList<>();
    for (int n = 1; n <= replicas; n++) {
      ServerSocket web = new ServerSocket(0);
      ServerSocket peer = new ServerSocket(0);
      reserved.addAll(List.of(web, peer));
      ports.add(web.getLocalPort());
      urls.add(n + "=http://127.0.0.1:" + web.getLocalPort() + "/app");
      peers.add(n + "=127.0.0.1:" + peer.getLocalPort());
    }
    for (ServerSocket socket : reserved) {
      socket.close();
    }
    try {
      for (int n = 1; n <= replicas; n++) {
        Properties settings = new Properties();
        settings.setProperty("understudy.replica", Integer.toString(n));
        settings.setProperty("understudy.replicas", urls.toString());
        settings.setProperty("understudy.peers", peers.toString());
        settings.setProperty("understudy.secret", "only for this test");
        settings.setProperty("understudy.directory", directory.resolve("data-" + n).toString());
        processes.add(start(n, settings));
      }
      for (int n = 1; n <= replicas; n++) {
        await(n, "ready");
      }
    } catch (IOException | InterruptedException | RuntimeException e) {
      close();
      throw e;
    }
  }

  private Process start(int n, Properties settings) throws IOException {
    Path base = Files.createDirectories(directory.resolve("tomcat-" + n));
    Path file = base.resolve("understudy.properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx256m", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:+ExitOnOutOfMemoryError", "-Djava.net.preferIPv4Stack=true",
            "-Dunderstudy.config=" + file, "-cp", System.getProperty("java.class.path"), Replica.class.getName(),
            ports.get(n - 1).toString(), base.toString())
        .redirectErrorStream(true)
        .redirectOutput(base.resolve("replica.log").toFile())
        .start();
  }

  /** The service at every replica. */
  List<URI> services() {
    return ports.stream()
        .map(port -> URI.create("http://127.0.0.1:" + port + "/app/services/InventoryService"))
        .toList();
  }

  /** Waits until a replica executes updates, and returns its number. */
  int primary() throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (System.nanoTime() < end) {
      for (int n = 1; n <= ports.size(); n++) {
        if (is(n, "writable")) {
          return n;
        }
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException("No replica executes updates; see the files replica.log in " + directory);
  }

  /** Ends the process of a replica with SIGKILL: it loses its memory. */
  void kill(int n) throws InterruptedException {
    processes.get(n - 1).destroyForcibly().waitFor();
  }

  private void await(int n, String what) throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!is(n, what)) {
      if (System.nanoTime() > end || !processes.get(n - 1).isAlive()) {
        throw new IOException(
            "Replica " + n + " is not " + what + ". Its log is:\n"
                + Files.readString(directory.resolve("tomcat-" + n).resolve("replica.log")));
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  private boolean is(int n, String what) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://127.0.0.1:" + ports.get(n - 1) + "/app/health/" + what).toURL().openConnection();
    connection.setConnectTimeout(1_000);
    connection.setReadTimeout(1_000);
    try {
      return connection.getResponseCode() == 200;
    } catch (IOException e) {
      return false;
    } finally {
      connection.disconnect();
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Process process : processes) {
      process.destroyForcibly().waitFor();
    }
  }
}
