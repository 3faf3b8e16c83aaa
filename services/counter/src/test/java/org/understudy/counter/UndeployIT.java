package org.understudy.counter;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.test.cluster.WebArchive;
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
  @CsvSource({"primary-backup, socket", "primary-backup, call", "primary-backup, notification", "group, socket"})
  void leavesNothing(String strategy, String transfer) throws Exception {
    int port = FreePorts.next();
    int peers = FreePorts.next();
    Path settings = directory.resolve("understudy.properties");
    Files.writeString(settings, String.join("\n",
        "understudy.replica=1",
        "understudy.replicas=1=http://127.0.0.1:" + port + "/counter,2=http://127.0.0.1:1/counter,3=http://127.0.0.1:2/counter",
        "understudy.peers=1=127.0.0.1:" + peers + ",2=127.0.0.1:3,3=127.0.0.1:4",
        "understudy.strategy=" + strategy,
        "understudy.transfer=" + transfer,
        "understudy.secret=not very secret at all",
        "understudy.directory=" + directory.resolve("data")));
    System.setProperty("understudy.config", settings.toString());
    tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    tomcat.start();
    WebArchive counter = new WebArchive("/counter", Path.of("target/counter.war"));
    // Twice: the second start needs what the first must have given back.
    for (int i = 0; i < 2; i++) {
      Context context = counter.addTo(tomcat, directory);
      assertTrue(context.getState().isAvailable());
      ClassLoader loader = context.getLoader().getClassLoader();
      assertTrue(WebArchive.threads(loader).size() >= 3, () -> "a clock, storage and links: " + WebArchive.threads(loader));
      tomcat.getHost().removeChild(context);
      assertEquals(List.of(), WebArchive.threads(loader));
    }
  }
}
