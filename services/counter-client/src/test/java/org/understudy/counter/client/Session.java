package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Three replicas, and {@code scripts/counter} at a terminal beside them. */
final class Session {
  static final int PORT = 28900;
  private static final int REPLICAS = 3;
  private static final Path SCRIPTS = Path.of("../../scripts").toAbsolutePath().normalize();
  private static final long PATIENCE_SECONDS = 60;
  private static final String CURRENT_TIME = """
      <e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body>
      <p:GetResourceProperty xmlns:p="http://docs.oasis-open.org/wsrf/rp-2"
          xmlns:l="http://docs.oasis-open.org/wsrf/rl-2">l:CurrentTime</p:GetResourceProperty>
      </e:Body></e:Envelope>""";

  private final HttpClient http = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(1)).build();
  private final Path directory;
  private final List<Watcher> watchers = new ArrayList<>();

  Session(Path directory) throws Exception {
    this.directory = directory;
    cluster("down"); // In case a run before this one was broken off.
    cluster("up", "--replicas", Integer.toString(REPLICAS));
  }

  record Said(int status, String out, String err) {}

  /** {@code scripts/counter watch}, line by line. */
  static final class Watcher {
    private final Process process;
    private final BlockingQueue<String> out = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> err = new LinkedBlockingQueue<>();

    private Watcher(Process process) {
      this.process = process;
      follow(process.getInputStream(), out);
      follow(process.getErrorStream(), err);
    }

    private static void follow(InputStream in, BlockingQueue<String> lines) {
      Thread thread = new Thread(() -> {
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8))) {
          reader.lines().forEach(lines::add);
        } catch (IOException e) {
          lines.add(e.toString());
        }
      });
      thread.setDaemon(true);
      thread.start();
    }

    private static String next(BlockingQueue<String> lines) throws InterruptedException {
      return lines.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }

    /** What it prints next. */
    String line() throws InterruptedException {
      return next(out);
    }

    /** Waits until it is subscribed. */
    void awaitWatching() throws InterruptedException {
      String line = next(err);
      assertTrue(line != null && line.startsWith("Watching at "), () -> line + " " + err);
    }

    /** What it says beside the values. */
    String aside() throws InterruptedException {
      return next(err);
    }

    /** Ctrl-C. */
    void interrupt() throws Exception {
      assertEquals(0, new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start().waitFor());
    }

    /** Its exit status, and that it had nothing more to say. */
    int end() throws InterruptedException {
      assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
      assertEquals(List.of(), List.copyOf(err));
      assertEquals(List.of(), List.copyOf(out));
      return process.exitValue();
    }
  }

  URI service(int replica) {
    return URI.create("http://127.0.0.1:" + (PORT + replica) + "/counter/services/CounterService");
  }

  private ProcessBuilder process(String script, String... words) {
    List<String> command = new ArrayList<>(List.of(SCRIPTS.resolve(script).toString()));
    command.addAll(List.of(words));
    return new ProcessBuilder(command).directory(directory.toFile());
  }

  void cluster(String... words) throws Exception {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--port", Integer.toString(PORT)));
    Process process = process("cluster", all.toArray(new String[0])).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(5, TimeUnit.MINUTES));
    assertEquals(0, process.exitValue(), said);
  }

  Said counter(String... words) throws Exception {
    Path err = directory.resolve("err");
    Process process = process("counter", words).redirectError(err.toFile()).start();
    String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertTrue(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS));
    return new Said(process.exitValue(), out, Files.readString(err));
  }

  /** What a command prints that succeeds. */
  String done(String... words) throws Exception {
    Said said = counter(words);
    assertEquals(0, said.status(), said.err());
    assertEquals("", said.err());
    return said.out().strip();
  }

  Watcher watch(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("watch"));
    words.addAll(List.of(options));
    Watcher watcher = new Watcher(process("counter", words.toArray(new String[0])).start());
    watchers.add(watcher);
    return watcher;
  }

  private boolean is(int replica, String what) throws InterruptedException {
    URI health = URI.create("http://127.0.0.1:" + (PORT + replica) + "/counter/health/" + what);
    HttpRequest request = HttpRequest.newBuilder(health).timeout(Duration.ofSeconds(2)).build();
    try {
      return http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false; // It is dead.
    }
  }

  private void await(int replica, String what) throws InterruptedException {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS); !is(replica, what); ) {
      assertTrue(System.nanoTime() < end, () -> "Replica " + replica + " is not " + what + ".");
      TimeUnit.MILLISECONDS.sleep(50);
    }
  }

  /** Waits for the replica that says it is primary. */
  int primary() throws Exception {
    for (long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS); System.nanoTime() < end; ) {
      for (int n = 1; n <= REPLICAS; n++) {
        if (is(n, "primary")) {
          return n;
        }
      }
      TimeUnit.MILLISECONDS.sleep(20);
    }
    throw new AssertionError("Nobody is primary.");
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
  void awaitWhole() throws Exception {
    for (int n = 1; n <= REPLICAS; n++) {
      await(n, "ready");
    }
  }

  String get(URI address) throws Exception {
    return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString()).body();
  }

  /** Stops the watchers and the replicas. */
  void close() throws Exception {
    watchers.forEach(watcher -> watcher.process.destroyForcibly());
    cluster("down");
  }
}
