package org.understudy.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.core.StandardContext;
import org.apache.catalina.startup.ContextConfig;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.test.network.FreePorts;

/** A replica of three, alone, is undeployed: no thread stays, the ports are free, the directory is not locked. */
class UndeployIT {
  private static final List<Logger> QUIET =
      Stream.of("org.apache", "org.understudy").map(Logger::getLogger).toList();

  @TempDir Path directory;
  private Tomcat tomcat;

  @BeforeEach
  void quiet() {
    QUIET.forEach(logger -> logger.setLevel(Level.SEVERE));
  }

  @AfterEach
  void stop() throws Exception {
    System.clearProperty("understudy.config");
    tomcat.stop();
    tomcat.destroy();
  }

  @ParameterizedTest
  @ValueSource(strings = {"socket", "call", "notification"})
  void leavesNothing(String transfer) throws Exception {
    int port = FreePorts.next();
    int peers = FreePorts.next();
    Path settings = directory.resolve("understudy.properties");
    Files.writeString(settings, String.join("\n",
        "understudy.replica=1",
        "understudy.replicas=1=http://127.0.0.1:" + port + "/counter,2=http://127.0.0.1:1/counter,3=http://127.0.0.1:2/counter",
        "understudy.peers=1=127.0.0.1:" + peers + ",2=127.0.0.1:3,3=127.0.0.1:4",
        "understudy.transfer=" + transfer,
        "understudy.secret=not very secret at all",
        "understudy.directory=" + directory.resolve("data")));
    System.setProperty("understudy.config", settings.toString());
    tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    Files.createDirectories(directory.resolve("webapps"));
    tomcat.setPort(port);
    tomcat.getConnector();
    tomcat.start();
    // Twice: the second start needs what the first must have given back.
    for (int i = 0; i < 2; i++) {
      StandardContext context = new StandardContext();
      context.setPath("/counter");
      context.setDocBase(Path.of("target/counter.war").toAbsolutePath().toString());
      context.addLifecycleListener(new ContextConfig());
      tomcat.getHost().addChild(context);
      assertTrue(context.getState().isAvailable());
      ClassLoader loader = context.getLoader().getClassLoader();
      assertTrue(threads(loader).size() >= 3, () -> "a clock, storage and links: " + threads(loader));
      tomcat.getHost().removeChild(context);
      assertEquals(List.of(), threads(loader));
    }
  }

  private static List<String> threads(ClassLoader loader) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getContextClassLoader() == loader && thread.isAlive())
        .filter(thread -> !thread.getName().contains("-exec-"))
        .map(Thread::getName)
        .toList();
  }
}
