package org.understudy.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.understudy.container.deployment.Deployment;

/** What the starter reports at the start: whether it is active, and addresses that the application does not have. */
class StartReportTest {
  @TempDir Path directory;
  private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
  private final Logger logger = (Logger) LoggerFactory.getLogger("org.understudy.boot");

  @BeforeEach
  void listen() {
    logger.setLevel(Level.INFO);
    lines.start();
    logger.addAppender(lines);
  }

  @AfterEach
  void end() {
    logger.detachAppender(lines);
  }

  private List<String> reported(int replicas, String... properties) {
    new WebApplicationContextRunner()
        .withConfiguration(AutoConfigurations.of(UnderstudyAutoConfiguration.class, UnderstudyInactiveAutoConfiguration.class))
        .withPropertyValues(properties)
        .run(context -> {
          assertEquals(replicas, context.getBeansOfType(Deployment.class).size());
          assertEquals(null, context.getStartupFailure());
        });
    return lines.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
  }

  private List<String> reported(Map<String, String> server) {
    return reported(
        1, "understudy.replica=1", "understudy.strategy=none", "understudy.replicas=1=http://127.0.0.1:8080/app",
        "server.port=" + server.getOrDefault("port", "8080"), "server.servlet.context-path=" + server.getOrDefault("path", "/app"));
  }

  @Test
  void withoutAConfigurationOneLineReportsThatNothingIsReplicated() {
    List<String> reported = reported(0);
    assertEquals(1, reported.size(), reported.toString());
    assertTrue(reported.get(0).contains("inactive: nothing is replicated"), reported.get(0));
  }

  @Test
  void anActiveStarterReportsNothing() {
    assertEquals(List.of(), reported(Map.of()));
    assertEquals(List.of(), reported(Map.of("path", "/app/")));
  }

  @Test
  void aFileAloneActivatesTheStarter() throws Exception {
    Path file = directory.resolve("understudy.properties");
    Files.writeString(
        file, "understudy.replica=1\nunderstudy.strategy=none\nunderstudy.replicas=1=http://127.0.0.1:8080\n");
    assertEquals(List.of(), reported(1, "understudy.config=" + file));
  }

  @Test
  void aPortThatIsNotKnownIsReported() {
    List<String> reported = reported(Map.of("port", "0"));
    assertEquals(1, reported.size(), reported.toString());
    assertTrue(reported.get(0).contains("server.port is 0"), reported.get(0));
  }

  @Test
  void anotherContextPathIsReported() {
    List<String> reported = reported(Map.of("path", "/other"));
    assertEquals(1, reported.size(), reported.toString());
    assertTrue(reported.get(0).contains("The context path of this application is '/other'"), reported.get(0));
  }
}
