package org.understudy.cdi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebArchive;
import org.understudy.test.network.FreePorts;

/** Services that are beans of CDI, of Weld or of OpenWebBeans. */
class BeanHttpTest {
  /** Held, since a logger that is collected loses its level. */
  private static final List<Logger> QUIET =
      Stream.of("org.jboss.weld", "org.apache", "org.understudy").map(Logger::getLogger).toList();

  @TempDir Path directory;

  @BeforeEach
  void quiet() {
    QUIET.forEach(logger -> logger.setLevel(Level.OFF));
  }

  private static String envelope(String service, String id) {
    return "<e:Envelope xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\"><e:Header>"
        + "<a:MessageID xmlns:a=\"http://www.w3.org/2005/08/addressing\">urn:" + service + id + "</a:MessageID></e:Header><e:Body>"
        + "<g:greet xmlns:g=\"urn:greeter\"><name>Ann</name></g:greet></e:Body></e:Envelope>";
  }

  private static String greeted(TestCluster cluster, int replica, String service, String id) {
    byte[] body = envelope(service, id).getBytes(StandardCharsets.UTF_8);
    Answer answer = cluster.post(replica, "/soap/" + service, body, "text/xml");
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  @ParameterizedTest
  @ValueSource(strings = {"primary-backup", "group"})
  void beansAreExecutedExactlyOnceAcrossAFailover(String strategy) throws Exception {
    Map<String, String> services =
        Map.of("Greeter", "Hello dear Ann %d, audited", "Porter", "Welcome dear Ann %d, audited", "Teller", "Good day Ann %d",
            "Guide", "Follow me Ann %d, audited");
    try (TestCluster cluster =
        new TestCluster(directory, BeanApplication.make(directory.resolve("application"), "Greeter Porter Teller Guide!"), 3,
            Map.of("understudy.strategy", strategy))) {
      int primary = cluster.primary();
      int backup = cluster.backup();
      services.forEach((service, text) -> {
        assertEquals(text.formatted(1), greeted(cluster, primary, service, "1"));
        assertEquals(text.formatted(2), greeted(cluster, backup, service, "2"));
      });
      cluster.stop(primary);
      int next = cluster.primary();
      services.forEach((service, text) -> {
        assertEquals(text.formatted(1), greeted(cluster, next, service, "1"));
        assertEquals(text.formatted(3), greeted(cluster, next, service, "3"));
      });
    }
  }

  private static String greetedLate(TestCluster cluster, String id) throws Exception {
    String answer = cluster.postLate(1, "/soap/Greeter", envelope("Greeter", id).getBytes(StandardCharsets.UTF_8));
    Matcher result = Pattern.compile("<return>(.*)</return>").matcher(answer);
    assertTrue(result.find(), answer);
    return result.group(1);
  }

  @Test
  void eachRequestHasItsOwnRequestScope() throws Exception {
    try (TestCluster cluster =
        new TestCluster(directory, BeanApplication.make(directory.resolve("application"), "Greeter"), 1, Map.of())) {
      for (int i = 1; i <= 20; i += 2) {
        assertEquals("Hello dear Ann " + i + ", audited", greeted(cluster, 1, "Greeter", Integer.toString(i)));
        assertEquals("Hello dear Ann " + (i + 1) + ", audited", greetedLate(cluster, Integer.toString(i + 1)));
      }
      Condition.await("all requests to end their scope", () -> cluster.post(1, "/visits", new byte[0]).text().equals("0"));
    }
  }

  /** Deploys an application whose replica halts, and returns the answer of its health. */
  private String halted(String service) throws Exception {
    int port = FreePorts.next();
    Path settings = directory.resolve("understudy.properties");
    Files.writeString(
        settings, "understudy.replica=1\nunderstudy.strategy=none\nunderstudy.replicas=1=http://127.0.0.1:" + port + "/app\n");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    try {
      Context context = BeanApplication.make(directory.resolve("application"), service).addTo(tomcat, directory);
      context.addParameter("understudy.config", settings.toString());
      tomcat.start();
      HttpURLConnection health = (HttpURLConnection) new URL("http://127.0.0.1:" + port + "/app/health/live").openConnection();
      assertEquals(503, health.getResponseCode());
      return new String(health.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  @Test
  void aBeanForEachRequestHasNoStateToReplicate() throws Exception {
    String health = halted("Passer");
    assertTrue(health.contains("its bean has the scope @RequestScoped"), health);
  }

  @Test
  void aProxyWithoutEndpointInterfaceHasNoOperations() throws Exception {
    String health = halted("Guide");
    assertTrue(health.contains("CXF has found no operation in "), health);
  }

  @Test
  void anInjectedBeanIsNoState() throws Exception {
    String health = halted("Hall");
    assertTrue(health.contains("Hall.words: the class is marked @ReplicatedState, and a container may inject"), health);
  }

  @Test
  void stateInAnotherBeanIsRefused() throws Exception {
    String health = halted("Shop");
    assertTrue(health.contains("its field basket refers to a "), health);
    assertTrue(health.contains("Basket of the scope @SessionScoped"), health);
  }

  /** Deploys the service Vault and returns the warning about interceptors, or an empty text. */
  private String warned(String service) throws Exception {
    // The folder of a web application has no ! in its name.
    WebArchive application = BeanApplication.make(directory.resolve("application" + service.length()), service);
    try (LogRecorder warnings = LogRecorder.of(Level.WARNING, "org.understudy.container.attachment.Attachments");
        TestCluster cluster = new TestCluster(directory, application, 1, Map.of())) {
      cluster.primary();
      return warnings.lines().stream().filter(warning -> warning.contains("interceptors")).findAny().orElse("");
    }
  }

  @Test
  void interceptorsThatCxfDoesNotFindAtAProxyAreNamed() throws Exception {
    String warning = warned("Vault");
    assertTrue(warning.contains("does not have the interceptors [org.understudy.cdi.application.Gate]"), warning);
    assertEquals("", warned("Vault!"));
  }
}
