package org.understudy.lab.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** The files of {@code conf}, copied as {@code docs/operations.md} has it and started with Tomcat's own script. */
class ServerFilesIT {
  private static final Path CONF = Path.of("../../conf");
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  @TempDir Path base;

  private static Path tomcat() throws IOException {
    try (Stream<Path> found = Files.list(Path.of("../target/tomcat"))) {
      return found.findFirst().orElseThrow().toAbsolutePath();
    }
  }

  @Test
  void replicaRunsWithTheOptions() throws Exception {
    for (String directory : List.of("bin", "conf", "logs", "temp", "webapps", "work")) {
      Files.createDirectory(base.resolve(directory));
    }
    for (String file : List.of("server.xml", "context.xml", "jvm.options", "understudy.properties")) {
      Files.copy(CONF.resolve(file), base.resolve("conf").resolve(file));
    }
    Files.copy(tomcat().resolve("conf/web.xml"), base.resolve("conf/web.xml"));
    Files.writeString(
        base.resolve("bin/setenv.sh"), Files.readString(CONF.resolve("setenv.sh")).replace("1g", "256m"));
    Files.copy(Path.of("../../services/counter/target/counter.war"), base.resolve("webapps/app.war"));
    int port = FreePorts.next();
    List<String> command =
        List.of(
            "env", "CATALINA_HOME=" + tomcat(), "CATALINA_BASE=" + base, "UNDERSTUDY_STRATEGY=none",
            "UNDERSTUDY_REPLICAS=1=http://127.0.0.1:" + port + "/app",
            "JAVA_OPTS=-Dhttp.port=" + port + " -Dhttp.address=127.0.0.1", tomcat().resolve("bin/catalina.sh").toString(), "run");
    try (Program server = Program.startMerged(base, Duration.ofMinutes(2), command)) {
      server.out().await("INFO: Server startup in");
      Condition.await("the replica to be ready", () -> health(port, "ready").statusCode() == 200);
      Matcher pid = Pattern.compile("\"pid\":(\\d+)").matcher(health(port, "live").body());
      assertTrue(pid.find());
      Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
      Outcome properties =
          Program.run(base, Duration.ofMinutes(1), List.of(jcmd.toString(), pid.group(1), "VM.system_properties"));
      assertTrue(properties.out().contains("sun.net.http.retryPost=false"), properties.out());
    }
  }

  private static HttpResponse<String> health(int port, String which) {
    try {
      return HTTP.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/app/health/" + which)).build(),
          HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theUnitIsValid() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/systemd-analyze")), "systemd-analyze is not installed");
    Outcome outcome =
        Program.run(
            Path.of("."), Duration.ofMinutes(1),
            List.of("systemd-analyze", "verify", CONF.resolve("understudy.service").toAbsolutePath().normalize().toString()));
    // The paths of the example need not exist here.
    assertEquals(
        List.of(), outcome.out().lines().filter(line -> !line.contains("is not executable: No such file")).toList());
  }
}
