package org.understudy.counter.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.test.process.Outcome;
import org.understudy.test.process.Program;

/** The classic session of Globus's counter, by {@code scripts/counter} against three replicas in processes of their own. */
@Timeout(600)
class CounterSessionIT {
  private static final Path CONTRACTS = Path.of("src/main/resources/wsdl");

  @TempDir private static Path directory;
  private static Session session;

  @BeforeAll
  static void up() throws Exception {
    session = new Session(directory);
  }

  @AfterAll
  static void down() throws Exception {
    if (session != null) {
      session.close();
    }
  }

  /** Who killed one restarts it: each test finds three. */
  @BeforeEach
  void whole() throws Exception {
    session.awaitWhole();
  }

  private static void create() throws Exception {
    String address = session.done("create", "--service", session.service(session.primary()).toString());
    assertTrue(address.matches("http://127.0.0.1:\\d+/counter/services/CounterService/[0-9a-f]{32}"), address);
  }

  @Test
  void theContractsInThisModuleAreThoseThatArePublished() throws Exception {
    String counters = session.service(2).toString();
    for (String name : List.of("CounterService", "SubscriptionManager")) {
      String service = counters.replace("CounterService", name);
      String published = session.get(URI.create(service + "?wsdl"))
          .replaceAll(Pattern.quote(service) + "\\?(?:wsdl|xsd)=", "standard/")
          .replace(service, "http://127.0.0.1:8081/counter/services/" + name);
      Path saved = Files.writeString(Path.of("target").resolve(name + ".wsdl"), published);
      Path contract = CONTRACTS.resolve(name + ".wsdl");
      assertTrue(Files.readString(contract).equals(published),
          "The contract has changed: copy " + saved.toAbsolutePath() + " to " + contract + ", then look at the client.");
    }
  }

  @Test
  void aReferenceNamesEveryReplica() throws Exception {
    create();
    String reference = Files.readString(directory.resolve("counter.epr"));
    for (int n = 1; n <= 3; n++) {
      assertTrue(reference.contains(">" + session.service(n) + "<"), reference);
    }
  }

  @Test
  void theClassicSession() throws Exception {
    create();
    Program watcher = session.watch("--times", "2");
    assertEquals("3", session.done("add", "3"));
    assertEquals("3", watcher.out().next());
    assertEquals("13", session.done("add", "10"));
    assertEquals("13", watcher.out().next());
    assertEquals(new Outcome(0, "", ""), watcher.end());
    assertEquals("13", session.done("get"));
    assertEquals("", session.done("destroy"));
    Outcome gone = session.counter("add", "1");
    assertEquals(1, gone.status());
    assertTrue(gone.err().contains("does not exist") && gone.err().lines().count() == 1, gone.err());
  }

  @Test
  void theClassicSessionWithThePrimaryKilledTwiceInItsMiddle() throws Exception {
    create();
    Program watcher = session.watch("--lifetime", "8");
    Instant subscribed = session.serversClock();
    assertEquals("3", session.done("add", "3"));
    assertEquals("3", watcher.out().next());
    int first = session.primary();
    session.cluster("kill", Integer.toString(first));
    assertEquals("13", session.done("add", "10"));
    assertEquals("13", watcher.out().next());
    assertEquals("13", session.done("get"));
    int second = session.primary();
    session.cluster("restart", Integer.toString(first));
    // Longer than it was promised to last: it has been renewed, at a replica that did not take the subscription.
    session.awaitServersClock(subscribed.plusSeconds(9));
    session.awaitWhole();
    session.cluster("kill", Integer.toString(second));
    assertEquals("14", session.done("add", "1"));
    assertEquals("14", watcher.out().next());
    watcher.interrupt();
    assertEquals(new Outcome(130, "", ""), watcher.end());
    assertEquals("15", session.done("add", "1"));
    assertEquals("", session.done("destroy"));
    session.cluster("restart", Integer.toString(second));
  }

  @Test
  void watchingEndsWithTheCounter() throws Exception {
    create();
    Program watcher = session.watch();
    assertEquals("", session.done("destroy"));
    assertEquals("The counter has ended.", watcher.err().next());
    assertEquals(new Outcome(0, "", ""), watcher.end());
  }
}
