package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.test.LogRecorder;

/** Where the replica of a web application cannot be opened, its health has the reason, and the application serves nothing. */
class FailedStartHttpTest {
  @TempDir private Path directory;

  /** Cannot be created. */
  @WebService
  @ReplicatedState
  public static class BrokenService {
    private int count;

    /** Needs what is not there. */
    public BrokenService() {
      throw new IllegalArgumentException("there is no price list");
    }

    /** Counts. */
    public int count() {
      return ++count;
    }
  }

  private static final class OwnPage extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
      response.getWriter().write("served without replication");
    }
  }

  private void assertHealthSays(String why, Map<String, String> parameters) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("/app", directory.toString());
    parameters.forEach(context::addParameter);
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    Tomcat.addServlet(context, "own", new OwnPage()).addMapping("/own");
    try (LogRecorder log = LogRecorder.of(Level.WARNING, "org.understudy")) {
      tomcat.start();
      assertEquals(1, log.lines().stream().filter(line -> line.startsWith("Understudy does not start: ")).count(), log.lines()::toString);
      for (String check : new String[] {"live", "ready", "writable"}) {
        HttpResponse<String> health = get(tomcat, "/app/health/" + check);
        assertEquals(503, health.statusCode());
        assertEquals(1, health.body().lines().count(), health.body());
        assertTrue(health.body().contains("\"halted\":\"Understudy does not start: ") && health.body().contains(why), health.body());
      }
      assertEquals(503, get(tomcat, "/app/own").statusCode());
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }

  private static HttpResponse<String> get(Tomcat tomcat, String path) throws Exception {
    URI address = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
    return HttpClient.newHttpClient().send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static Map<String, String> settings(String... more) {
    Map<String, String> settings =
        new TreeMap<>(
            Map.of("understudy.replica", "1", "understudy.replicas", "1=http://127.0.0.1:1/app", "understudy.strategy", "none",
                "understudy.service", BrokenService.class.getName()));
    for (int i = 0; i < more.length; i += 2) {
      settings.put(more[i], more[i + 1]);
    }
    return settings;
  }

  @Test
  void anUnknownKeyIsNamedWithItsFileAndTheNearestKey() throws Exception {
    Path file = Files.writeString(directory.resolve("replica.properties"), "understudy.suspekt.ms=500\n");
    assertHealthSays(
        "The key understudy.suspekt.ms is unknown in " + file + "; did you mean understudy.suspect.ms?",
        settings("understudy.config", file.toString()));
    assertHealthSays("The key understudy.lod.limit is unknown in the context parameters; did you mean understudy.load.limit?",
        settings("understudy.lod.limit", "3"));
  }

  @Test
  void aMissingFileIsNamed() throws Exception {
    Path file = directory.resolve("replica.properties");
    assertHealthSays(file + " does not exist. Create it, or name another file by understudy.config.",
        settings("understudy.config", file.toString()));
    assertHealthSays(directory + " is not a file.", settings("understudy.config", directory.toString()));
    assertHealthSays("The file " + directory.resolve("conf/understudy.properties") + " does not exist, and neither the system property",
        Map.of("understudy.service", BrokenService.class.getName()));
  }

  @Test
  void aDirectoryThatIsAFileIsNamed() throws Exception {
    Path file = Files.createFile(directory.resolve("data"));
    Map<String, String> settings = settings("understudy.strategy", "primary-backup", "understudy.secret", "a secret for the tests",
        "understudy.replicas", "1=http://127.0.0.1:1/app,2=http://127.0.0.1:2/app", "understudy.peers", "1=127.0.0.1:3,2=127.0.0.1:4");
    for (Path directory : new Path[] {file, file.resolve("replica-1")}) {
      settings.put("understudy.directory", directory.toString());
      assertHealthSays("The directory " + directory + " cannot be made or protected: " + file + " is a file. Correct", settings);
    }
  }

  @Test
  void aServiceThatCannotBeCreatedIsNamed() throws Exception {
    assertHealthSays("throws java.lang.IllegalArgumentException: there is no price list.", settings());
  }
}
