package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Program;

/**
 * Three applications of Spring Boot, each a process with an embedded Tomcat; the primary is killed. The second has a context path, the
 * third has its actuator on another port.
 */
class BootHttpTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();

  @TempDir Path directory;
  private final Map<Integer, String> urls = new TreeMap<>();
  /** The URLs of the actuators. */
  private final Map<Integer, String> actuators = new TreeMap<>();
  private final Map<Integer, Program> applications = new TreeMap<>();

  @AfterEach
  void stop() {
    applications.values().forEach(Program::close);
  }

  private void start() throws IOException {
    StringBuilder replicas = new StringBuilder();
    StringBuilder peers = new StringBuilder();
    List<List<String>> arguments = new ArrayList<>();
    for (int i = 1; i <= 3; i++) {
      int port = FreePorts.next();
      int management = i == 3 ? FreePorts.next() : port;
      String path = i == 2 ? "/app" : "";
      urls.put(i, "http://127.0.0.1:" + port + path);
      actuators.put(i, "http://127.0.0.1:" + management + path + "/actuator");
      arguments.add(List.of(
          "--server.port=" + port, "--server.servlet.context-path=" + path, "--management.server.port=" + management,
          "--understudy.replica=" + i, "--understudy.directory=" + directory.resolve("data-" + i)));
      replicas.append(i == 1 ? "" : ",").append(i).append('=').append(urls.get(i));
      peers.append(i == 1 ? "" : ",").append(i).append("=127.0.0.1:").append(FreePorts.next());
    }
    for (int i = 1; i <= 3; i++) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), CountingApplication.class.getName()));
      command.add("--server.address=127.0.0.1");
      command.addAll(arguments.get(i - 1));
      command.add("--understudy.replicas=" + replicas);
      command.add("--understudy.peers=" + peers);
      command.add("--understudy.secret=a secret for the tests");
      command.add("--management.endpoints.web.exposure.include=health,metrics");
      command.add("--management.endpoint.health.show-details=always");
      applications.put(i, Program.startMerged(directory, PATIENCE, command));
    }
  }

  private static HttpResponse<String> get(String uri) throws IOException {
    try {
      HttpRequest request = HttpRequest.newBuilder(URI.create(uri)).timeout(Duration.ofSeconds(5)).build();
      return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A machine that stops for longer than a lease has no writable replica for a moment. */
  private void showsHealthAndMeters(int replica, boolean primary) {
    awaitText(actuators.get(replica) + "/health/understudy", "\"status\":\"UP\"", "\"writable\":" + primary);
    awaitText(actuators.get(replica) + "/metrics/understudy.writable", "\"value\":" + (primary ? 1 : 0));
  }

  private static void awaitText(String uri, String... parts) {
    Condition.await(List.of(parts) + " at " + uri, () -> {
      try {
        String text = get(uri).body();
        return List.of(parts).stream().allMatch(text::contains);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    });
  }

  private boolean isHealthy(int replica, String which) {
    try {
      return get(urls.get(replica) + "/health/" + which).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  private int primary() {
    int[] found = new int[1];
    Condition.await("a primary", () -> {
      found[0] = applications.keySet().stream().filter(i -> isHealthy(i, "writable")).findFirst().orElse(0);
      return found[0] != 0;
    });
    return found[0];
  }

  private String count(int replica, String id, int more) throws Exception {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + id + "</a:MessageID></e:Header><e:Body>"
        + "<c:count xmlns:c=\"urn:counting\"><more>" + more + "</more></c:count></e:Body></e:Envelope>";
    HttpRequest request = HttpRequest.newBuilder(URI.create(urls.get(replica) + "/services/counting")).timeout(Duration.ofSeconds(30))
        .header("Content-Type", "text/xml").POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
    HttpResponse<String> answer = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
    assertEquals(200, answer.statusCode(), answer.body());
    return answer.body().replaceFirst("(?s).*<return>", "").replaceFirst("(?s)</return>.*", "");
  }

  @Test
  void anEndpointIsExecutedExactlyOnceAcrossAKill() throws Exception {
    start();
    applications.keySet().forEach(i -> Condition.await("replica " + i + " to be ready", () -> isHealthy(i, "ready")));
    int primary = primary();
    int backup = primary == 1 ? 2 : 1;
    assertEquals("5", count(primary, "1", 5));
    assertEquals("7", count(backup, "2", 2));
    for (int replica : applications.keySet()) {
      showsHealthAndMeters(replica, replica == primary);
    }
    applications.remove(primary).close();
    int next = primary();
    showsHealthAndMeters(next, true);
    assertEquals("7", count(next, "2", 2));
    assertEquals("8", count(next, "3", 1));
  }
}
