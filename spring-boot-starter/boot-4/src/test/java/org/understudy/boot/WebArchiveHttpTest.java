package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.deployment.Deployment;
import org.understudy.test.Condition;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;

/** Applications of Spring Boot in a Tomcat, where the plugin's initializer and the starter both find a configuration. */
class WebArchiveHttpTest {
  @TempDir Path directory;

  private static String count(TestCluster cluster, int replica, String id, int more) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + id + "</a:MessageID></e:Header><e:Body>"
        + "<c:count xmlns:c=\"urn:counting\"><more>" + more + "</more></c:count></e:Body></e:Envelope>";
    return cluster.post(replica, "/services/counting", envelope.getBytes(StandardCharsets.UTF_8), "text/xml")
        .between("<return>", "</return>");
  }

  private static String get(URI uri) {
    return HttpClient.newHttpClient().sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).join().body();
  }

  /** A second replica in an application could not listen at the same port, and the application would not start. */
  @ParameterizedTest
  @ValueSource(strings = {"primary-backup", "group"})
  void starterAndInitializerShareOneReplica(String strategy) throws Exception {
    BootWebArchive archive = new BootWebArchive(BootWebArchive.Counting.class, false);
    try (TestCluster cluster = new TestCluster(directory, archive, 3, Map.of("understudy.strategy", strategy))) {
      int primary = cluster.primary();
      assertEquals("5", count(cluster, primary, "1", 5));
      for (int replica = 1; replica <= 3; replica++) {
        Deployment only = Deployment.of(cluster.context(replica).getServletContext());
        assertEquals(1, only.replicas().size());
        URI health = cluster.uri(replica, "/actuator/health/understudy");
        String writable = "\"writable\":" + (replica == primary || cluster.hasSeveralServers());
        // A machine that stops for longer than a lease has no writable replica for a moment.
        Condition.await(writable + " at replica " + replica, () -> get(health).contains(writable));
      }
      cluster.stop(primary);
      int next = cluster.primary();
      assertEquals("5", count(cluster, next, "1", 5));
      assertEquals("6", count(cluster, next, "2", 1));
      cluster.start(primary);
      cluster.awaitReady(primary);
      assertEquals("7", count(cluster, primary, "3", 1));
    }
  }

  private static Tomcat tomcat(Path base, int port) {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(base.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    return tomcat;
  }

  @Test
  void theApplicationMayHaveTheConfiguration() throws Exception {
    int port = FreePorts.next();
    BootWebArchive.Configured.properties = Map.of(
        "understudy.replica", "1", "understudy.strategy", "none", "understudy.replicas", "1=http://127.0.0.1:" + port + "/app",
        "server.servlet.context-path", "/app", "management.endpoint.health.show-details", "always");
    Tomcat tomcat = tomcat(directory, port);
    try {
      Context context = new BootWebArchive(BootWebArchive.Configured.class, false).addTo(tomcat, directory);
      tomcat.start();
      assertEquals(1, Deployment.of(context.getServletContext()).replicas().size());
      URI health = URI.create("http://127.0.0.1:" + port + "/app/actuator/health/understudy");
      Condition.await("a healthy replica", () -> get(health).contains("\"UP\""));
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Test
  void anApplicationThatFailsLeavesNoReplica() throws Exception {
    for (boolean springFirst : new boolean[] {false, true}) {
      int port = FreePorts.next();
      int peers = FreePorts.next();
      Path file = directory.resolve("understudy.properties");
      Files.writeString(file, """
          understudy.replica=1
          understudy.replicas=1=http://127.0.0.1:%d/app,2=http://127.0.0.1:1/app
          understudy.peers=1=127.0.0.1:%d,2=127.0.0.1:2
          understudy.secret=a secret for the tests
          understudy.directory=%s
          """.formatted(port, peers, directory.resolve("data")));
      Tomcat tomcat = tomcat(directory, port);
      try {
        Context context = new BootWebArchive(BootWebArchive.Failing.class, springFirst).addTo(tomcat, directory);
        context.addParameter("understudy.config", file.toString());
        assertThrows(LifecycleException.class, tomcat::start);
        assertEquals(LifecycleState.FAILED, context.getState());
        // The server goes on, and nothing listens for peers.
        new ServerSocket(peers).close();
      } finally {
        tomcat.stop();
        tomcat.destroy();
      }
    }
  }
}
