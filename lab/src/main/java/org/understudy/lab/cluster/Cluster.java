package org.understudy.lab.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The group that {@code scripts/cluster} runs, for a program. */
public final class Cluster {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path script;
  private final int port;
  private final int replicas;
  private final String service;
  private final String endpoint;
  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();

  /** A group of counters. */
  public Cluster(Path script, int port, int replicas) {
    this(script, port, replicas, "counter", "CounterService");
  }

  /** A group of the service given to {@code up --service} of the script; clients use its endpoint. */
  public Cluster(Path script, int port, int replicas, String service, String endpoint) {
    this.script = script;
    this.port = port;
    this.replicas = replicas;
    this.service = service;
    this.endpoint = endpoint;
  }

  /**
   * Runs one command of the script.
   *
   * @throws IOException when it fails, with its output
   */
  public void run(String... words) throws IOException, InterruptedException {
    run(Map.of(), words);
  }

  /** The same with additional variables of the environment, and additional options in JAVA_OPTS. */
  public void run(Map<String, String> environment, String... words) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(words));
    command.addAll(List.of("--port", Integer.toString(port)));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    add(environment, builder.environment());
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
    if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", command) + " failed: " + said.strip());
    }
  }

  /** The options that the caller has for all JVMs stay. */
  static void add(Map<String, String> additional, Map<String, String> environment) {
    additional.forEach((name, value) ->
        environment.merge(name, value, (own, more) -> name.equals("JAVA_OPTS") ? (own + " " + more).strip() : more));
  }

  /** The service's URL at every replica, in the order of their numbers. */
  public List<URI> services() {
    return services(1);
  }

  /** The same, beginning with a replica that a client is to prefer; the others follow in the order of their numbers. */
  public List<URI> services(int first) {
    List<URI> services = new ArrayList<>();
    for (int i = 0; i < replicas; i++) {
      int n = (first - 1 + i) % replicas + 1;
      services.add(URI.create("http://127.0.0.1:" + (port + n) + "/" + service + "/services/" + endpoint));
    }
    return services;
  }

  public URL wsdl(int replica) throws IOException {
    return URI.create(services().get(replica - 1) + "?wsdl").toURL();
  }

  /** The process of a replica. */
  public long pid(int replica) throws IOException {
    return Long.parseLong(Files.readString(directory(replica).resolve("pid")).strip());
  }

  /** The directory of a replica's temporary files. */
  public Path temporary(int replica) {
    return directory(replica).resolve("temp");
  }

  private Path directory(int replica) {
    Path run = script.toAbsolutePath().normalize().getParent().resolveSibling(".cluster");
    return run.resolve(port + "/" + replica);
  }

  /** The number of the first replica that would execute an update now, or 0. */
  public int primary() throws InterruptedException {
    for (int n = 1; n <= replicas; n++) {
      if (status(n, "writable") == 200) {
        return n;
      }
    }
    return 0;
  }

  /**
   * Waits until another replica leads a view without this one and would execute an update, and returns its number. It is the
   * primary or the sequencer.
   */
  public int awaitFailover(int old) throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      for (int n = 1; n <= replicas; n++) {
        if (n != old && leadsWithout(n, old)) {
          return n;
        }
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException("No view without replica " + old + " executes updates after 60 s.");
  }

  private boolean leadsWithout(int replica, int old) throws InterruptedException {
    try {
      JsonNode health = health(replica);
      for (JsonNode member : health.path("members")) {
        if (member.asInt() == old) {
          return false;
        }
      }
      return leads(health);
    } catch (IOException e) {
      // Not up yet, or paused.
      return false;
    }
  }

  private static boolean leads(JsonNode health) {
    return health.path("role").asText().equals("PRIMARY") && health.path("writable").asBoolean();
  }

  /**
   * Waits until every replica serves in the same view, and updates would be executed; a replica resumed after a pause may
   * still be in another view. Returns the number of the primary, which is the sequencer with the strategy group.
   */
  public int awaitWhole() throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (System.nanoTime() < end) {
      int primary = whole();
      if (primary != 0) {
        return primary;
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    throw new IOException("The group is not whole after 60 s; see scripts/cluster status --port " + port + ".");
  }

  /** The replica that leads the view, if every replica serves in the same view; or 0. */
  private int whole() throws InterruptedException {
    int leader = 0;
    Set<Long> epochs = new HashSet<>();
    for (int n = 1; n <= replicas; n++) {
      try {
        JsonNode health = health(n);
        if (!health.path("ready").asBoolean()) {
          return 0;
        }
        leader = leads(health) ? n : leader;
        epochs.add(health.path("epoch").asLong());
      } catch (IOException e) {
        // Not up yet, or paused.
        return 0;
      }
    }
    return epochs.size() == 1 ? leader : 0;
  }

  /** The health that a replica reports. */
  public JsonNode health(int replica) throws IOException, InterruptedException {
    URI health = URI.create("http://127.0.0.1:" + (port + replica) + "/" + service + "/health/live");
    HttpRequest request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    return JSON.readTree(http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
  }

  private int status(int replica, String what) throws InterruptedException {
    URI health = URI.create("http://127.0.0.1:" + (port + replica) + "/" + service + "/health/" + what);
    try {
      return http.send(
              HttpRequest.newBuilder(health).timeout(Duration.ofMillis(500)).build(),
              HttpResponse.BodyHandlers.discarding())
          .statusCode();
    } catch (IOException e) {
      return 0;
    }
  }
}
