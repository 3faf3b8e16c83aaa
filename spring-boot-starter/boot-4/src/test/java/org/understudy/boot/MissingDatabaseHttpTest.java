package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.net.ServerSocket;
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
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.understudy.container.deployment.Deployment;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;

/** Applications of Spring Boot that start before their database. */
class MissingDatabaseHttpTest {
  /** Makes Boot leave the loggers of this process alone. */
  private static final String LOGGING = "org.springframework.boot.logging.LoggingSystem";

  private static final HttpClient HTTP = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  @TempDir Path directory;
  private final Map<Integer, Integer> ports = new TreeMap<>();
  private final Map<Integer, Integer> peers = new TreeMap<>();
  private final Map<Integer, ConfigurableApplicationContext> applications = new TreeMap<>();
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
  private final int databasePort = FreePorts.next();
  private Level level;
  private Server database;

  @BeforeEach
  void prepare() {
    System.setProperty(LOGGING, "none");
    level = root.getLevel();
    root.setLevel(Level.WARN);
    lines.start();
    root.addAppender(lines);
    for (int i = 1; i <= 3; i++) {
      ports.put(i, FreePorts.next());
      peers.put(i, FreePorts.next());
    }
  }

  @AfterEach
  void end() {
    applications.values().forEach(ConfigurableApplicationContext::close);
    if (database != null) {
      database.stop();
    }
    root.detachAppender(lines);
    root.setLevel(level);
    System.clearProperty(LOGGING);
  }

  private static String list(Map<Integer, Integer> ports, String scheme) {
    List<String> entries = new ArrayList<>();
    ports.forEach((replica, port) -> entries.add(replica + "=" + scheme + "127.0.0.1:" + port));
    return String.join(",", entries);
  }

  private void start(int replica, boolean eager, SpringApplicationBuilder application) {
    applications.put(replica, application.web(WebApplicationType.SERVLET).run(
        "--spring.main.banner-mode=off", "--server.address=127.0.0.1", "--server.port=" + ports.get(replica), "--pool.eager=" + eager,
        "--server.shutdown=graceful", "--pool.url=jdbc:h2:tcp://127.0.0.1:" + databasePort + "/mem:stock",
        "--understudy.replica=" + replica, "--understudy.replicas=" + list(ports, "http://"), "--understudy.peers=" + list(peers, ""),
        "--understudy.secret=a secret for the tests", "--understudy.directory=" + directory.resolve("data-" + replica)));
  }

  private void start(int replica, boolean eager) {
    start(replica, eager, new SpringApplicationBuilder(StockApplication.class));
  }

  private HttpResponse<String> health(int replica, String which) {
    URI uri = URI.create("http://127.0.0.1:" + ports.get(replica) + "/health/" + which);
    return HTTP.sendAsync(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString()).join();
  }

  private void awaitReady(int replica) {
    Condition.await("replica " + replica + " to be ready", () -> health(replica, "ready").statusCode() == 200);
  }

  private String order(int replica, String id, int count) {
    String envelope = "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + id + "</a:MessageID></e:Header><e:Body>"
        + "<s:order xmlns:s=\"urn:stock\"><count>" + count + "</count></s:order></e:Body></e:Envelope>";
    HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + ports.get(replica) + "/services/stock"))
        .timeout(Duration.ofSeconds(30)).header("Content-Type", "text/xml").POST(HttpRequest.BodyPublishers.ofString(envelope)).build();
    HttpResponse<String> answer = HTTP.sendAsync(request, HttpResponse.BodyHandlers.ofString()).join();
    return answer.statusCode() + " " + answer.body().replaceFirst("(?s).*<(?:return|faultstring)>", "").replaceFirst("(?s)</.*", "");
  }

  /** Each fault is the outcome of its request for good, and a busy pool may have no connection in time: so each attempt is another one. */
  private void awaitOrder(String expected, int replica, String id, int count) {
    int[] attempts = new int[1];
    Condition.await(expected, () -> order(replica, id + "-" + attempts[0]++, count).equals(expected));
  }

  private static long threads() {
    return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("understudy-")).count();
  }

  private List<String> logged(Level at) {
    return lines.list.stream().filter(line -> line.getLevel() == at && line.getLoggerName().startsWith("org.understudy"))
        .map(ILoggingEvent::getFormattedMessage).toList();
  }

  @Test
  void applicationsWaitForTheirDatabaseOrFailWhole() throws Exception {
    assertThrows(RuntimeException.class, () -> start(3, true));
    Condition.await("the end of the replica's threads", () -> threads() == 0);
    new ServerSocket(peers.get(3)).close();
    new ServerSocket(ports.get(3)).close();
    assertEquals(1, logged(Level.ERROR).size(), logged(Level.ERROR).toString());
    String why = logged(Level.ERROR).get(0);
    assertTrue(why.contains("its replica is closed") && why.contains("refused"), why);

    start(1, false);
    // A parent, as Spring Cloud makes one, has the same properties and the starter, and is no web application.
    start(2, false, new SpringApplicationBuilder(Parent.class).web(WebApplicationType.NONE)
        .properties("understudy.replica=2").child(StockApplication.class));
    start(3, false);
    for (int replica : applications.keySet()) {
      awaitReady(replica);
    }
    // The operation is executed and fails: a fault is the outcome of this request, for good.
    String failed = order(1, "1", 2);
    assertEquals("500 The database cannot be reached.", failed);
    database = Server.createTcpServer("-tcpPort", Integer.toString(databasePort), "-ifNotExists").start();
    assertEquals(failed, order(2, "1", 2));
    awaitOrder("200 order 1 for 14", 2, "2", 2);

    int primary = applications.keySet().stream().filter(i -> health(i, "writable").statusCode() == 200).findFirst().orElseThrow();
    int backup = primary % 3 + 1;
    applications.remove(primary).close();
    awaitOrder("200 order 2 for 21", backup, "3", 3);
    // The same process starts the application again, as Boot's tools for development do.
    start(primary, true);
    awaitReady(primary);
    assertEquals(failed, order(primary, "1", 2));
    awaitOrder("200 order 3 for 7", primary, "4", 1);
    assertTrue(logged(Level.WARN).stream().noneMatch(line -> line.contains("filter")), "Boot's own filters need no attention");
    for (ConfigurableApplicationContext application : applications.values()) {
      assertEquals(1, application.getBeanNamesForType(Deployment.class).length);
    }
  }

  /** The parent of an application. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class Parent {}
}
