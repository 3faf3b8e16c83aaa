package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.understudy.test.Condition;
import org.understudy.test.network.ClusterPorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** Three replicas, and {@code scripts/counter} at a terminal beside them. */
final class Session {
  private static final int REPLICAS = 3;
  private static final Path SCRIPTS = Path.of("../../scripts").toAbsolutePath().normalize();
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final String CURRENT_TIME = """
      <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
      <p:GetResourceProperty xmlns:p="http://docs.oasis-open.org/wsrf/rp-2"
          xmlns:l="http://docs.oasis-open.org/wsrf/rl-2">l:CurrentTime</p:GetResourceProperty>
      </e:Body></e:Envelope>""";

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final Path directory;
  private final int port;
  private final List<Program> watchers = new ArrayList<>();

  Session(Path directory) throws Exception {
    this.directory = directory;
    port = ClusterPorts.next();
    cluster("up", "--replicas", Integer.toString(REPLICAS));
  }

  URI service(int replica) {
    return URI.create("http://127.0.0.1:" + (port + replica) + "/counter/services/CounterService");
  }

  private static List<String> command(String script, List<String> words) {
    List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(script).toString()));
    command.addAll(words);
    return command;
  }

  void cluster(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--port", Integer.toString(port)));
    Program.run(directory, Duration.ofMinutes(5), command("cluster", all)).success();
  }

  /** Runs a command of {@code scripts/counter}. */
  Outcome counter(String... words) throws Exception {
    try (Program program = Program.start(directory, PATIENCE, command("counter", List.of(words)))) {
      return program.end();
    }
  }

  /** Returns what a command prints that succeeds. */
  String done(String... words) throws Exception {
    return counter(words).success().strip();
  }

  /** Starts {@code scripts/counter watch}, and waits until it is subscribed. */
  Program watch(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("watch"));
    words.addAll(List.of(options));
    Program watcher = Program.start(directory, PATIENCE, command("counter", words));
    watchers.add(watcher);
    String first = watcher.err().next();
    assertTrue(first != null && first.startsWith("Watching at "), first);
    return watcher;
  }

  private boolean is(int replica, String what) {
    URI health = URI.create("http://127.0.0.1:" + (port + replica) + "/counter/health/" + what);
    HttpRequest request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // It is dead.
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits for the replica that says it is primary. */
  int primary() {
    AtomicInteger primary = new AtomicInteger();
    Condition.await("a primary", () -> {
      primary.set(IntStream.rangeClosed(1, REPLICAS).filter(n -> is(n, "primary")).findFirst().orElse(0));
      return primary.get() != 0;
    });
    return primary.get();
  }

  /** Waits until it is so late by the primary's clock. */
  void awaitServersClock(Instant then) throws Exception {
    while (serversClock().isBefore(then)) {
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** CurrentTime of the counter (WS-ResourceLifetime 1.2). */
  Instant serversClock() throws Exception {
    CounterReference reference = CounterReference.readFrom(directory.resolve("counter.epr"));
    String path = URI.create(reference.address()).getPath();
    HttpRequest request = HttpRequest.newBuilder(service(primary()).resolve(path))
        .header("Content-Type", "text/xml")
        .POST(HttpRequest.BodyPublishers.ofString(CURRENT_TIME))
        .build();
    String answer = http.send(request, HttpResponse.BodyHandlers.ofString()).body();
    Matcher time = Pattern.compile("CurrentTime[^>]*>([^<]+)<").matcher(answer);
    assertTrue(time.find(), answer);
    return Instant.parse(time.group(1));
  }

  /** Waits until every replica is in the view. */
  void awaitWhole() {
    for (int n = 1; n <= REPLICAS; n++) {
      int replica = n;
      Condition.await("replica " + n + " to be ready", () -> is(replica, "ready"));
    }
  }

  String get(URI address) throws Exception {
    return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Stops the watchers and the replicas. */
  void close() throws Exception {
    watchers.forEach(Program::close);
    cluster("down");
  }
}
