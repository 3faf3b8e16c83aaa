package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
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

/** Three applications of Spring Boot, each a process with an embedded Tomcat; the primary is killed. */
class BootHttpTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final HttpClient HTTP =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).connectTimeout(Duration.ofSeconds(5)).build();

  @TempDir Path directory;
  private final Map<Integer, Integer> ports = new TreeMap<>();
  private final Map<Integer, Program> applications = new TreeMap<>();

  @AfterEach
  void stop() {
    applications.values().forEach(Program::close);
  }

  private void start() throws IOException {
    StringBuilder urls = new StringBuilder();
    StringBuilder peers = new StringBuilder();
    for (int i = 1; i <= 3; i++) {
      ports.put(i, FreePorts.next());
      urls.append(i == 1 ? "" : ",").append(i).append("=http://127.0.0.1:").append(ports.get(i));
      peers.append(i == 1 ? "" : ",").append(i).append("=127.0.0.1:").append(FreePorts.next());
    }
    for (int i = 1; i <= 3; i++) {
      List<String> command = new ArrayList<>();
      command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
      command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
      command.addAll(List.of("-cp", System.getProperty("java.class.path"), CountingApplication.class.getName()));
      command.add("--server.address=127.0.0.1");
      command.add("--server.port=" + ports.get(i));
      command.add("--understudy.replica=" + i);
      command.add("--understudy.replicas=" + urls);
      command.add("--understudy.peers=" + peers);
      command.add("--understudy.secret=a secret for the tests");
      command.add("--understudy.directory=" + directory.resolve("data-" + i));
      applications.put(i, Program.startMerged(directory, PATIENCE, command));
    }
  }

  private URI uri(int replica, String path) {
    return URI.create("http://127.0.0.1:" + ports.get(replica) + path);
  }

  private boolean isHealthy(int replica, String which) {
    try {
      HttpRequest request = HttpRequest.newBuilder(uri(replica, "/health/" + which)).timeout(Duration.ofSeconds(5)).build();
      return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
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
    HttpRequest request = HttpRequest.newBuilder(uri(replica, "/services/counting")).timeout(Duration.ofSeconds(30))
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
    applications.remove(primary).close();
    int next = primary();
    assertEquals("7", count(next, "2", 2));
    assertEquals("8", count(next, "3", 1));
  }
}
