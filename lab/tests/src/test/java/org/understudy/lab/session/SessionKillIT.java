package org.understudy.lab.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.lab.http.HttpConnection;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** The session manager installed in three Tomcats as {@code docs/sessions.md} describes it, one of which is killed. */
class SessionKillIT {
  @TempDir private Path folder;

  /** Free ports, the same for each question. */
  private static Ports freePorts() {
    Map<String, Integer> taken = new HashMap<>();
    return new Ports() {
      @Override
      public int http(Setup setup, int server) {
        return taken.computeIfAbsent(setup + " " + server, none -> FreePorts.next());
      }

      @Override
      public int peer(Setup setup, int server) {
        return taken.computeIfAbsent(setup + " peer " + server, none -> FreePorts.next());
      }
    };
  }

  @Test
  void aSessionContinuesAfterItsTomcatHasBeenKilled() throws Exception {
    try (Servers servers = new Servers(Setup.UNDERSTUDY, freePorts(), Path.of("../..").toRealPath(), folder)) {
      servers.start();
      for (int server = 1; server <= 3; server++) {
        int number = server;
        Condition.await("server " + server + " to be ready", () -> ready(servers, number) == 200);
      }
      try (SessionClient client = new SessionClient(servers.address(2), new Content(3, 100))) {
        for (int i = 0; i < 5; i++) {
          client.update();
        }
        servers.kill(2);
        client.moveTo(servers.address(3));
        Condition.await("an update at another server", () -> isUpdated(client));
        // Each finds what the updates before it have written.
        for (int i = 0; i < 5; i++) {
          client.update();
        }
        assertTrue(client.isShownBy(servers.address(1)));
      }
      surveyedByAnOperator(servers);
    }
  }

  private static int ready(Servers servers, int server) {
    try (HttpConnection connection = new HttpConnection(servers.address(server))) {
      return connection.send("GET", "/sessions/understudy/health/ready", "", new byte[0]).status();
    } catch (IOException e) {
      return 0;
    }
  }

  private static boolean isUpdated(SessionClient client) {
    try {
      client.update();
      return true;
    } catch (IOException e) {
      // No view without the killed server yet.
      return false;
    }
  }

  private void surveyedByAnOperator(Servers servers) throws Exception {
    List<String> command = List.of(Path.of("../../scripts/recover").toRealPath().toString(), Long.toString(servers.pid(1)));
    Outcome survey = Program.run(folder, Duration.ofMinutes(1), command);
    assertEquals(0, survey.status(), survey.out());
    assertTrue(survey.out().contains("replica 1 (this one)") && survey.out().contains("replica 2: does not answer"), survey.out());
  }
}
