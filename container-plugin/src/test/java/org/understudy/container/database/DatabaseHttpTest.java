package org.understudy.container.database;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.database.BookStore.Fault;
import org.understudy.container.database.BookStore.Point;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;

/** An update of a service with state in a database takes effect in both or in neither, whatever fails. */
class DatabaseHttpTest {
  @TempDir private Path directory;
  private BookStore store;

  @BeforeEach
  void create() {
    store = new BookStore();
    BookService.store = store;
  }

  private static String request(String session, int sequence, int attempt, String operation, String text) {
    return Soap.envelope(Soap.header(session, sequence, attempt), Soap.notebook(operation, text));
  }

  private static String append(String session, int sequence, String text) {
    return request(session, sequence, 1, "append", text);
  }

  private static String result(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private static String read(ServiceCluster site, int number) {
    return result(site.call(number, Soap.envelope("", Soap.notebook("text", null))));
  }

  private static boolean refuses(ServiceCluster site, int number, String envelope) {
    return site.call(number, envelope).text().contains("cannot use the database");
  }

  private void faultsOfTheDatabase(ServiceCluster site, String session) {
    int primary = site.primary();
    assertEquals("a", result(site.call(primary, append(session, 1, "a"))));
    store.failNext(Fault.DEADLOCK);
    assertEquals("ab", result(site.call(primary, append(session, 2, "b"))), "undone in memory too, and executed again");
    store.failNext(Fault.ANSWER_LOST);
    assertEquals("abc", result(site.call(primary, append(session, 3, "c"))), "the row is found");
    store.failNext(Fault.COMMIT_LOST);
    assertEquals("abcd", result(site.call(primary, append(session, 4, "d"))), "executed again");
    Answer failed = site.call(primary, request(session, 5, 1, "stumble", "x"));
    assertEquals(500, failed.status());
    assertTrue(site.call(primary, request(session, 6, 1, "refuse", "e")).text().contains("No more."));
    assertEquals("abcdedeadlock", result(site.call(primary, append(session, 7, "deadlock"))), "a deadlock in the method");
    assertEquals("abcdedeadlock", store.text());
    assertEquals("abcdedeadlock|", read(site, primary));
  }

  @Test
  void aSingleReplicaCommitsBothOrNeither() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, BookService.class, 1, Map.of("understudy.strategy", "none"))) {
      faultsOfTheDatabase(site, site.openSession());
      BookService.NEWEST_HOME.get().update(null, book -> book.appendByStatement("deadlock2")).join();
      assertEquals("abcdedeadlockdeadlock2", store.text(), "a deadlock in a change of the service's own");
      assertEquals("abcdedeadlockdeadlock2|", read(site, 1));
    }
  }

  @Test
  void failoversFindWhatTheDatabaseHasDecided() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, BookService.class, 3, Map.of())) {
      String session = site.openSession();
      faultsOfTheDatabase(site, session);
      int first = site.primary();

      store.stopNext(Point.BEFORE_COMMIT);
      CompletableFuture<Answer> undecided = site.callLater(first, append(session, 8, "f"));
      Condition.await("the commit stops", store.stopped::tryAcquire);
      store.down(true);
      site.stop(first);
      undecided.join();
      String retry = request(session, 8, 2, "append", "f");
      Condition.await("a refusal because the database is down",
          () -> refuses(site, 1 + first % 3, retry) || refuses(site, 1 + (first + 1) % 3, retry));
      int blocked = refuses(site, 1 + first % 3, retry) ? 1 + first % 3 : 1 + (first + 1) % 3;
      HttpResponse<String> ready = site.health(blocked, "ready");
      assertEquals(503, ready.statusCode(), ready.body());
      assertTrue(ready.body().contains("\"blocked\":\"The database is down.\""), ready.body());
      assertTrue(ready.body().contains("\"serves\":[]"), ready.body());
      assertEquals(503, site.health(blocked, "primary").statusCode());
      assertEquals(200, site.health(blocked, "live").statusCode());
      store.down(false);
      int second = site.primary();
      Condition.await("the fence", () -> site.call(second, retry).status() == 200);
      store.go.release();
      Condition.await("the old primary's commit to be refused", () -> store.fencedCommits.get() == 1);
      assertEquals(200, site.health(second, "ready").statusCode());
      assertEquals("abcdedeadlockf", result(site.call(second, retry)));
      assertEquals("abcdedeadlockf", store.text(), "once");
      assertEquals("abcdedeadlockf|abcdedeadlock", read(site, second), "loaded before anything was served");

      site.start(first);
      site.awaitReady(first);
      store.stopNext(Point.AFTER_COMMIT);
      CompletableFuture<Answer> decided = site.callLater(second, append(session, 9, "g"));
      Condition.await("the commit stops", store.stopped::tryAcquire);
      site.stop(second);
      decided.join();
      store.go.release();
      int third = site.primary();
      Answer replayed = site.call(third, request(session, 9, 2, "append", "g"));
      assertEquals("abcdedeadlockfg", result(replayed));
      assertTrue(replayed.text().contains("<ur:Status>replayed"), replayed.text());
      assertEquals("abcdedeadlockfg", store.text(), "once");
      assertEquals("abcdedeadlockfg|abcdedeadlockfg", read(site, third));
    }
  }

  private static String named(String id, String text) {
    return Soap.envelope(Soap.messageId(id), Soap.notebook("append", text));
  }

  /** The log has not the update when the primary dies: the row has its answer. */
  @Test
  void updatesOfTheDatabaseAloneAreAnsweredByTheirRows() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, PageService.class, 3, Map.of())) {
      String session = site.openSession();
      faultsOfTheDatabase(site, session);
      assertTrue(store.last().isOnePhase(), "no prepared update: " + store.last());
      int first = site.primary();

      store.stopNext(Point.AFTER_COMMIT);
      CompletableFuture<Answer> unanswered = site.callLater(first, append(session, 8, "f"));
      Condition.await("the commit stops", store.stopped::tryAcquire);
      site.stop(first);
      unanswered.join();
      store.go.release();
      int second = site.primary();
      Answer replayed = site.call(second, request(session, 8, 2, "append", "f"));
      assertEquals("abcdedeadlockf", result(replayed));
      assertTrue(replayed.text().contains("<ur:Status>replayed"), replayed.text());
      assertEquals("abcdedeadlockfg", result(site.call(second, append(session, 9, "g"))));
      assertEquals("abcdedeadlockfgh", result(site.call(second, named("urn:uuid:h", "h"))));
      assertEquals("abcdedeadlockfgh", store.text(), "each once");
      assertEquals("abcdedeadlockfgh|abcdedeadlockf", read(site, second));
    }
  }

  /** The memory of all replicas is lost: what was prepared takes no effect again, and every request is recognised. */
  @Test
  void rowsOutliveTheMemoryOfAllReplicas() throws Exception {
    for (Class<?> service : List.of(BookService.class, PageService.class)) {
      create();
      Path own = Files.createDirectories(directory.resolve(service.getSimpleName()));
      try (ServiceCluster site = new ServiceCluster(own, service, 1, Map.of("understudy.strategy", "none"))) {
        String session = site.openSession();
        assertEquals("a", result(site.call(1, named("urn:uuid:a", "a"))));
        assertEquals("ab", result(site.call(1, append(session, 1, "b"))));
        site.stop(1);
        site.start(1);
        site.awaitReady(1);
        assertEquals("a", result(site.call(1, named("urn:uuid:a", "a"))), "the stored answer");
        assertTrue(site.call(1, named("urn:uuid:a", "other")).text().contains("DigestMismatch"));
        assertTrue(site.call(1, request(session, 1, 2, "append", "b")).text().contains("SessionExpired"));
        assertEquals("ab", store.text(), "each once");
      }
    }
  }
}
