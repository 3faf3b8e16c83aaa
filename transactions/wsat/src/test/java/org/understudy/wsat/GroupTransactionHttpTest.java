package org.understudy.wsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.apache.cxf.staxutils.StaxUtils;
import org.h2.tools.Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.transaction.PreparedBranchStop;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.container.transaction.Vote;
import org.understudy.test.Condition;
import org.understudy.test.DatabaseRow;
import org.understudy.test.network.FreePorts;
import org.understudy.test.process.Program;
import org.understudy.wsat.participant.AtomicTransactionCoordination;
import org.w3c.dom.Element;

/**
 * A group of three replicas, each a process, with a database, in transactions of a coordinator in this process, which has a participant of
 * its own.
 */
class GroupTransactionHttpTest {
  private static final int REPLICAS = 3;
  private static final String COUNT = "<p:count xmlns:p='urn:purse'/>";
  private static final Map<Integer, Integer> PORTS = new TreeMap<>();
  private static final Map<Integer, Program> PROCESSES = new TreeMap<>();
  /** A process that stands still does not answer, and is asked again. */
  private static final Duration PATIENCE = Duration.ofSeconds(1);
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final Ledger OTHER = new Ledger();

  @TempDir
  static Path directory;

  private static Server server;
  private static String url;
  private static String addresses;
  private static String peers;
  private static WsatServer coordinator;
  private static WsatClient client;

  @BeforeAll
  static void start() throws Exception {
    Map<Integer, String> urls = new TreeMap<>();
    Map<Integer, String> listening = new TreeMap<>();
    for (int i = 1; i <= REPLICAS; i++) {
      PORTS.put(i, FreePorts.next());
      urls.put(i, i + "=http://127.0.0.1:" + PORTS.get(i) + "/app");
      listening.put(i, i + "=127.0.0.1:" + FreePorts.next());
    }
    addresses = String.join(",", urls.values());
    peers = String.join(",", listening.values());
    int database = FreePorts.next();
    server = Server.createTcpServer("-tcpPort", Integer.toString(database), "-ifNotExists", "-baseDir", directory.toString()).start();
    url = "jdbc:h2:tcp://127.0.0.1:" + database + "/./savings";
    for (int i = 1; i <= REPLICAS; i++) {
      launch(i);
    }
    int port = FreePorts.next();
    coordinator = WsatServer.start(directory.resolve("coordinator"), port, "coordinator", Map.of("understudy.wsat.timeout.s", "5"));
    client = new WsatClient("http://127.0.0.1:" + port + "/app");
    awaitAll();
  }

  @AfterAll
  static void stop() throws Exception {
    PROCESSES.values().forEach(Program::close);
    coordinator.close();
    server.stop();
  }

  private static Path own(int replica) {
    return directory.resolve("replica-" + replica);
  }

  private static void launch(int replica) throws IOException {
    Path own = own(replica);
    Map<String, String> settings = new TreeMap<>();
    settings.put("understudy.service", Purse.class.getName());
    settings.put("understudy.strategy", "primary-backup");
    settings.put("understudy.replica", Integer.toString(replica));
    settings.put("understudy.replicas", addresses);
    settings.put("understudy.peers", peers);
    settings.put("understudy.secret", "a secret for the tests");
    settings.put("understudy.directory", own.resolve("records").toString());
    settings.put("understudy.database.url", url);
    settings.put("understudy.database.user", "sa");
    settings.put("understudy.execution.ms", "1000");
    settings.put("understudy.wsat.timeout.s", "5");
    // Longer than processes of a loaded machine pause.
    settings.put("understudy.suspect.ms", "3000");
    PROCESSES.put(replica, WsatServer.process(own, PORTS.get(replica), "coordinator", settings));
  }

  private static void awaitAll() {
    for (int i = 1; i <= REPLICAS; i++) {
      int replica = i;
      Condition.await("replica " + i + " is ready", () -> health(replica, "ready"));
    }
  }

  private static boolean health(int replica, String which) {
    URI uri = URI.create("http://127.0.0.1:" + PORTS.get(replica) + "/app/health/" + which);
    try {
      return HTTP.send(HttpRequest.newBuilder(uri).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Waits until a replica that goes on is a backup: a transaction registers it at the coordinator. */
  private static void awaitMember(int replica, int primary) {
    Condition.await("replica " + replica + " is a member", () -> {
      int before = coordinator.registrations();
      try {
        WsatClient.Transaction probe = client.begin();
        before++;
        boolean answered = put(primary, probe.context, 0).contains("<return>");
        probe.rollback();
        return answered && coordinator.registrations() == before + REPLICAS;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static int primary() {
    AtomicInteger found = new AtomicInteger();
    Condition.await("a primary", () -> {
      for (int i = 1; i <= REPLICAS; i++) {
        if (health(i, "writable")) {
          found.set(i);
        }
      }
      return found.get() != 0;
    });
    return found.get();
  }

  private static String call(int replica, Element context, String body) throws Exception {
    String header = context == null ? "" : StaxUtils.toString(context).replaceFirst("^<\\?xml[^>]*>", "");
    return client.post("http://127.0.0.1:" + PORTS.get(replica) + "/app/services/Purse", "", header, body).body();
  }

  private static String put(int replica, Element context, int coins) throws Exception {
    return call(replica, context, "<p:put xmlns:p='urn:purse'><coins>" + coins + "</coins></p:put>");
  }

  private static String save(int replica, Element context, int coins) throws Exception {
    return call(replica, context, "<p:save xmlns:p='urn:purse'><coins>" + coins + "</coins></p:save>");
  }

  private static int number(String sql) {
    return Math.toIntExact(DatabaseRow.number(url, sql));
  }

  private static int saved() {
    return number("SELECT n FROM savings");
  }

  /** No branch is prepared, and no row names one. */
  private static void awaitNoBranch() {
    Condition.await(
        "the branches have ended",
        () -> number("SELECT (SELECT COUNT(*) FROM understudy_branch) + (SELECT COUNT(*) FROM INFORMATION_SCHEMA.IN_DOUBT)") == 0);
  }

  private static String count(int replica) throws Exception {
    return call(replica, null, COUNT).replaceFirst("(?s).*<return>(\\d+)</return>.*", "$1");
  }

  private static String join(Element context) throws Exception {
    TransactionContext known = new AtomicTransactionCoordination().contextOf(context);
    Volunteer.register(known, OTHER);
    return known.id();
  }

  @Test
  void aGroupCommitsAndAbortsWithOthers() throws Exception {
    int primary = primary();
    int before = Integer.parseInt(count(primary));
    WsatClient.Transaction committed = client.begin();
    putFirst(primary, committed, 1, REPLICAS);
    String id = join(committed.context);
    assertTrue(put(primary, committed.context, 2).contains("<return>" + (before + 3) + "</return>"));
    assertTrue(committed.commit().body().contains(">true</Result>"));
    assertTrue(OTHER.asked(id).contains("commit"));
    assertEquals(Integer.toString(before + 3), count(primary));

    WsatClient.Transaction read = client.begin();
    assertTrue(call(primary, read.context, COUNT).contains("<return>" + (before + 3) + "</return>"));
    String other = join(read.context);
    assertTrue(read.commit().body().contains(">true</Result>"));
    assertEquals(List.of("prepare", "commit"), OTHER.asked(other));

    int saved = saved();
    WsatClient.Transaction kept = client.begin();
    saveFirst(primary, kept, 4, REPLICAS);
    assertEquals(saved, saved(), "nothing is committed before the end");
    assertTrue(kept.commit().body().contains(">true</Result>"));
    assertEquals(Integer.toString(before + 7), count(primary));
    assertEquals(saved + 4, saved());

    WsatClient.Transaction vetoed = client.begin();
    saveFirst(primary, vetoed, 10, REPLICAS);
    OTHER.votes(join(vetoed.context), Vote.ABORTED);
    assertTrue(vetoed.commit().body().contains(">false</Result>"));
    assertEquals(Integer.toString(before + 7), count(primary));
    assertEquals(saved + 4, saved());
    awaitNoBranch();
  }

  private static void putInside(int primary, WsatClient.Transaction transaction, int coins) throws Exception {
    String answer = put(primary, transaction.context, coins);
    assertTrue(answer.contains("<return>"), answer);
  }

  /** Makes the first call of a transaction: when it is answered, the view's members are registered at the coordinator. */
  private static void putFirst(int primary, WsatClient.Transaction transaction, int coins, int alive) throws Exception {
    int before = coordinator.registrations();
    putInside(primary, transaction, coins);
    assertEquals(before + alive, coordinator.registrations());
  }

  private static void saveFirst(int primary, WsatClient.Transaction transaction, int coins, int alive) throws Exception {
    int before = coordinator.registrations();
    String answer = save(primary, transaction.context, coins);
    assertTrue(answer.contains("<return>"), answer);
    assertEquals(before + alive, coordinator.registrations());
  }

  /** Its part is prepared in the database, and nobody has voted for that. */
  @Test
  void aPrimaryThatDiesBeforeItsVoteAbortsTheTransaction() throws Exception {
    int primary = primary();
    int dead = abortedBecauseOf(primary, "KILL");
    launch(dead);
    awaitAll();
  }

  /** As before, and the old primary goes on later. Narayana waits a minute for its answer. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.pauses", matches = "true")
  void aPrimaryThatPausesBeforeItsVoteAbortsTheTransaction() throws Exception {
    int primary = primary();
    int paused = abortedBecauseOf(primary, "STOP");
    goOn(paused);
  }

  /** A replica goes on that has been replaced: it changes nothing, and becomes a backup. */
  private static void goOn(int paused) throws Exception {
    int next = primary();
    int before = saved();
    PROCESSES.get(paused).resume();
    awaitMember(paused, next);
    awaitNoBranch();
    assertEquals(before, saved());
    String after = save(next, null, 1);
    assertTrue(after.contains("<return>"), after);
    assertEquals(before + 1, saved());
  }

  private static int abortedBecauseOf(int primary, String signal) throws Exception {
    int before = Integer.parseInt(count(primary));
    int saved = saved();
    WsatClient.Transaction lost = client.begin();
    // Asked first, because it registers first.
    String id = join(lost.context);
    saveFirst(primary, lost, 5, REPLICAS);
    PreparedBranchStop.order(own(primary), signal);
    assertTrue(lost.commit().body().contains(">false</Result>"));
    assertFalse(PreparedBranchStop.isOrdered(own(primary)), "the branch was prepared");
    Condition.await("the other participant aborts", () -> OTHER.asked(id).contains("abort"));
    int next = primary();
    assertEquals(Integer.toString(before), count(next));
    awaitNoBranch();
    assertEquals(saved, saved());

    WsatClient.Transaction again = client.begin();
    saveFirst(next, again, 5, REPLICAS - 1);
    assertTrue(again.commit().body().contains(">true</Result>"));
    assertEquals(Integer.toString(before + 5), count(next));
    assertEquals(saved + 5, saved());
    return primary;
  }

  @Test
  void theNextPrimaryFinishesWhatTheCoordinatorDecidedAfterTheVote() throws Exception {
    int dead = committedWithout(replica -> PROCESSES.get(replica).close());
    launch(dead);
    awaitAll();
    Condition.await("the coordinator forgets the transaction that all have acknowledged", () -> !coordinator.hasUnfinished());
    awaitNoBranch();
  }

  /** As before, and the old primary goes on later. Narayana waits a minute for its answer. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.pauses", matches = "true")
  void theNextPrimaryFinishesWhatAPausedOneHasVotedFor() throws Exception {
    int paused = committedWithout(GroupTransactionHttpTest::pause);
    goOn(paused);
    Condition.await("the coordinator forgets the transaction that all have acknowledged", () -> !coordinator.hasUnfinished());
  }

  private static int committedWithout(IntConsumer stop) throws Exception {
    int primary = primary();
    int before = Integer.parseInt(count(primary));
    int saved = saved();
    WsatClient.Transaction transaction = client.begin();
    saveFirst(primary, transaction, 7, REPLICAS);
    // Asked last: all replicas have voted.
    String id = join(transaction.context);
    OTHER.beforePrepare(() -> stop.accept(primary));
    assertTrue(transaction.commit().body().contains(">true</Result>"));
    OTHER.beforePrepare(() -> {});
    assertTrue(OTHER.asked(id).contains("commit"));
    int next = primary();
    Condition.await("the transaction has taken effect", () -> counted(next).equals(Integer.toString(before + 7)));
    assertEquals(saved + 7, saved());
    String after = save(next, null, 1);
    assertTrue(after.contains("<return>" + (before + 8) + "</return>"), after);
    assertEquals(saved + 8, saved());
    assertTrue(coordinator.hasUnfinished());
    return primary;
  }

  private static void pause(int replica) {
    try {
      PROCESSES.get(replica).pause();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theNextPrimaryFinishesWhatACoordinatorInItsGroupDecided() throws Exception {
    int primary = primary();
    int before = Integer.parseInt(count(primary));
    int backup = primary % REPLICAS + 1;
    WsatClient.Transaction transaction = new WsatClient("http://127.0.0.1:" + PORTS.get(backup) + "/app").begin();
    int saved = saved();
    assertTrue(save(primary, transaction.context, 3).contains("<return>"));
    join(transaction.context);
    OTHER.beforePrepare(() -> PROCESSES.get(primary).close());
    assertTrue(transaction.commit().body().contains(">true</Result>"));
    OTHER.beforePrepare(() -> {});
    Condition.await("the transaction has taken effect", () -> counted(primary()).equals(Integer.toString(before + 3)));
    assertEquals(saved + 3, saved());
    awaitNoBranch();
    launch(primary);
    awaitAll();
  }

  private static String counted(int replica) {
    try {
      return count(replica);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
