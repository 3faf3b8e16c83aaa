package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.stream.Stream;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** A group takes part in transactions of a coordinator outside of it, which is this test. */
class CoordinatedTransactionHttpTest {
  private static final String A = "/soap/a";
  private static final String B = "/soap/b";
  private static final int REPLICAS = 3;
  private static TestCluster site;
  private static int ids;

  private final String id = "urn:test:" + ++ids;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    Map<String, String> settings =
        Map.of("understudy.endpoints", "*", "understudy.strategy", "primary-backup", "understudy.group", "coordinated");
    site = new TestCluster(directory, new OwnServlet(TransactionHttpTest::publish), REPLICAS, settings);
  }

  @AfterAll
  static void stop() throws Exception {
    site.close();
  }

  private static Answer post(String path, String header, String body) {
    return site.post(site.primary(), path, envelope(header, body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static String context(String id) {
    return "<c:Context xmlns:c=\"" + TestCoordination.NAMESPACE + "\" xmlns:e=\"http://schemas.xmlsoap.org/soap/envelope/\""
        + " e:mustUnderstand=\"1\">" + id
        + "</c:Context>";
  }

  private static Answer deposit(String path, String header, int amount) {
    return post(path, header, "<n:deposit xmlns:n=\"urn:account\"><amount>" + amount + "</amount></n:deposit>");
  }

  private static int value(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  private static int balance(String path) {
    return value(post(path, "", "<n:balance xmlns:n=\"urn:account\"/>"));
  }

  private static String code(Answer answer) {
    return answer.between("<ur:Code>", "</ur:Code>");
  }

  /** The replicas that have registered, once all have. */
  private List<TransactionParticipant> participants() {
    Condition.await("all replicas to register", () -> TestCoordination.REGISTERED.get(id).size() == REPLICAS);
    return TestCoordination.REGISTERED.get(id);
  }

  private List<Vote> prepareAll() {
    List<CompletableFuture<Vote>> votes = new ArrayList<>();
    for (TransactionParticipant one : participants()) {
      votes.add(CompletableFuture.supplyAsync(() -> {
        try {
          return one.prepare(id);
        } catch (InterruptedException e) {
          throw new IllegalStateException(e);
        }
      }));
    }
    return votes.stream().map(CompletableFuture::join).toList();
  }

  /** As a coordinator does: sends the decision to all until each has acknowledged it. */
  private static void all(List<TransactionParticipant> participants, Consumer<TransactionParticipant> decision) {
    List<CompletableFuture<Void>> sent = new ArrayList<>();
    participants.forEach(one -> sent.add(CompletableFuture.runAsync(() -> decision.accept(one))));
    sent.forEach(CompletableFuture::join);
  }

  @Test
  void whatIsPreparedTakesEffectWhenTheCoordinatorCommits() {
    int a = balance(A);
    int b = balance(B);
    assertEquals(a + 5, value(deposit(A, context(id), 5)));
    assertEquals(b + 7, value(deposit(B, context(id), 7)));
    for (String operation : List.of("CommitTransaction", "AbortTransaction")) {
      String end = "<" + operation + " xmlns=\"urn:understudy:replication:1\"><Transaction>" + id + "</Transaction></" + operation + ">";
      assertEquals("BadRequest", code(post(A, "", end)), "only its coordinator ends it");
    }
    assertEquals(List.of(Vote.PREPARED, Vote.PREPARED, Vote.PREPARED), prepareAll());
    participants().forEach(one -> assertTrue(one.isPrepared(id)));
    assertEquals(List.of(Vote.PREPARED, Vote.PREPARED, Vote.PREPARED), prepareAll(), "repeated");
    assertEquals("BadRequest", code(deposit(A, context(id), 1)));
    all(participants(), one -> one.commit(id));
    assertEquals(a + 5, balance(A));
    assertEquals(b + 7, balance(B));
    participants().forEach(one -> assertFalse(one.isPrepared(id)));
    all(participants(), one -> one.commit(id));
    assertEquals(a + 5, balance(A));
  }

  @Test
  void theNextPrimaryDoesWhatTheCoordinatorDecides() throws Exception {
    int a = balance(A);
    int b = balance(B);
    value(deposit(A, context(id), 5));
    value(deposit(B, context(id), 7));
    prepareAll();
    int primary = site.primary();
    site.stop(primary);
    int next = site.primary();
    assertTrue(site.health(next, "ready").body().contains("\"inDoubtTransactions\":1"), site.health(next, "ready").body());
    CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(() -> deposit(B, "", 1), task -> new Thread(task).start());
    CompletableFuture<Answer> reading =
        CompletableFuture.supplyAsync(() -> post(B, "", "<n:balance xmlns:n=\"urn:account\"/>"), task -> new Thread(task).start());
    CompletableFuture<Answer> inside =
        CompletableFuture.supplyAsync(() -> deposit(A, context(id + "/next"), 1), task -> new Thread(task).start());
    assertFalse(waiting.isDone(), "no guess: the object stays locked");
    Set<TransactionParticipant> acknowledged = ConcurrentHashMap.newKeySet();
    participants().forEach(one -> CompletableFuture.runAsync(() -> {
      one.commit(id);
      acknowledged.add(one);
    }));
    Condition.await("both members to acknowledge", () -> acknowledged.size() == 2);
    assertEquals(b + 8, value(waiting.join()), "it waits for the decision");
    assertEquals(a + 6, value(inside.join()), "a call inside another transaction waits too");
    all(TestCoordination.REGISTERED.get(id + "/next"), one -> one.abort(id + "/next"));
    assertTrue(value(reading.join()) >= b + 7);
    assertEquals(a + 5, balance(A));
    assertEquals(b + 8, balance(B));
    assertEquals(a + 6, value(deposit(A, "", 1)));
    site.start(primary);
    site.awaitReady(primary);
  }

  @Test
  void aTransactionThatWasNotPreparedEndsWithItsPrimary() throws Exception {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    participants();
    int primary = site.primary();
    site.stop(primary);
    assertEquals(a, balance(A));
    assertEquals("TransactionAborted", code(deposit(A, context(id), 5)), "it cannot go on without what was lost");
    assertEquals(a + 1, value(deposit(A, "", 1)));
    site.start(primary);
    site.awaitReady(primary);
  }

  @Test
  void aPartThatHasOnlyReadVotesSoAndIsForgotten() {
    int a = balance(A);
    assertEquals(a, value(post(A, context(id), "<n:balance xmlns:n=\"urn:account\"/>")));
    assertEquals(List.of(Vote.READ_ONLY, Vote.READ_ONLY, Vote.READ_ONLY), prepareAll());
    participants().forEach(one -> assertFalse(one.isPrepared(id)));
    assertEquals(List.of(Vote.READ_ONLY, Vote.READ_ONLY, Vote.READ_ONLY), prepareAll(), "repeated");
    assertEquals(a + 1, value(deposit(A, "", 1)), "nothing is locked");
    assertEquals("TransactionAborted", code(deposit(A, context(id), 1)), "its part has ended");
  }

  @Test
  void anAbortUndoesWhatIsOpenOrPrepared() {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    prepareAll();
    all(participants(), one -> one.abort(id));
    assertEquals(a, balance(A));
    String open = id + ":open";
    value(deposit(A, context(open), 5));
    Condition.await("all replicas to register", () -> TestCoordination.REGISTERED.get(open).size() == REPLICAS);
    all(TestCoordination.REGISTERED.get(open), one -> one.abort(open));
    assertEquals(a + 2, value(deposit(A, "", 2)));
  }

  @Test
  void anOperatorDecidesWhatStaysInDoubt() throws Exception {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    prepareAll();
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName control = new ObjectName("org.understudy:type=Transactions,group=\"coordinated\",replica=" + site.primary());
    Set<ObjectName> found = beans.queryNames(control, null);
    assertEquals(1, found.size(), () -> beans.queryNames(null, null).toString());
    assertEquals(id + "\n", beans.invoke(control, "inDoubt", new Object[0], new String[0]));
    String[] types = {String.class.getName()};
    assertEquals("The transaction " + id + " is committed.", beans.invoke(control, "commit", new Object[] {id}, types));
    assertEquals(a + 5, balance(A));
    assertThrows(RuntimeMBeanException.class, () -> beans.invoke(control, "abort", new Object[] {id}, types));
  }

  /** Neither in the log nor undone, it would stay in doubt. */
  @Test
  void anAbortIsNotAcknowledgedWhileThePartIsBeingPrepared() {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    TransactionParticipant primary = participants().stream().filter(one -> ((GroupParticipant) one).isPrimary()).findFirst().orElseThrow();
    CompletableFuture<Exception> refused = new CompletableFuture<>();
    Failpoint.listen((point, group, replica, transaction) -> {
      if (point == Failpoint.PREPARED_BEFORE && transaction.equals(id)) {
        refused.complete(assertThrows(IllegalStateException.class, () -> primary.abort(id)));
      }
    });
    try {
      assertEquals(List.of(Vote.PREPARED, Vote.PREPARED, Vote.PREPARED), prepareAll());
    } finally {
      Failpoint.listen(Failpoint.Listener.NONE);
    }
    assertTrue(refused.isDone());
    all(participants(), one -> one.abort(id));
    assertEquals(a, balance(A));
  }

  private static String control(String operation, String... parameters) throws Exception {
    ObjectName name = new ObjectName("org.understudy:type=Transactions,group=\"coordinated\",replica=" + site.primary());
    String[] types = Stream.of(parameters).map(one -> String.class.getName()).toArray(String[]::new);
    return (String) ManagementFactory.getPlatformMBeanServer().invoke(name, operation, parameters, types);
  }

  private static boolean showsContradictions(int number) {
    return site.health(site.primary(), "ready").body().contains("\"contradictedDecisions\":" + number);
  }

  @Test
  void aDecisionThatContradictsAnOperatorIsKeptAndNotAcknowledged() throws Exception {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    prepareAll();
    assertEquals("The transaction " + id + " is aborted.", control("abort", id));
    assertEquals(a, balance(A));
    assertTrue(control("report").contains("aborted by an operator " + id + ": the decision of its coordinator is unknown\n"));
    assertTrue(showsContradictions(0));
    try (LogRecorder log = LogRecorder.of(Level.SEVERE, GroupParticipant.class.getName())) {
      // Several messages of the coordinator at once, and one later.
      List<TransactionParticipant> all = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        all.addAll(participants());
      }
      all(all, one -> assertThrows(ContradictedDecisionException.class, () -> one.commit(id)));
      participants().forEach(one -> assertThrows(ContradictedDecisionException.class, () -> one.commit(id)));
      assertEquals(1, log.lines().size(), () -> log.lines().toString());
    }
    int primary = site.primary();
    site.stop(primary);
    assertEquals(a, balance(A));
    assertTrue(
        control("report").contains("aborted by an operator " + id + ": its coordinator has committed it, so its participants differ\n"));
    assertTrue(showsContradictions(1));
    assertEquals("The operator's decision about the transaction " + id + " is forgotten.", control("forget", id));
    assertFalse(control("report").contains(id));
    assertTrue(showsContradictions(0));
    assertThrows(RuntimeMBeanException.class, () -> control("forget", id));
    site.start(primary);
    site.awaitReady(primary);
  }

  @Test
  void whatAnOperatorAndTheCoordinatorDecideAlikeIsForgotten() throws Exception {
    int a = balance(A);
    value(deposit(A, context(id), 5));
    prepareAll();
    control("commit", id);
    all(participants(), one -> one.commit(id));
    Condition.await("the group to forget it", () -> !report().contains(id));
    assertEquals(a + 5, balance(A));
  }

  private static String report() {
    try {
      return control("report");
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aBackupDoesNotVoteOnWhatItDoesNotKnow() throws Exception {
    value(deposit(A, context(id), 5));
    int backups = 0;
    for (TransactionParticipant one : participants()) {
      GroupParticipant replica = (GroupParticipant) one;
      if (!replica.isPrimary()) {
        assertThrows(IllegalStateException.class, () -> replica.prepare("urn:test:unknown", 1));
        backups++;
      }
    }
    assertEquals(REPLICAS - 1, backups);
    all(participants(), one -> one.abort(id));
  }

  @Test
  void aTransactionOfThisGroupHasNoOtherCoordinator() {
    String begin = "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>";
    String own = post(A, "", begin).between("<ur:Transaction>", "</ur:Transaction>");
    assertEquals("BadRequest", code(deposit(A, context(own), 5)));
    String commit =
        "<CommitTransaction xmlns=\"urn:understudy:replication:1\"><Transaction>" + own + "</Transaction></CommitTransaction>";
    assertEquals(200, post(A, "", commit).status(), "its client still ends it");
  }

  @Test
  void firstCallsOccupyFewThreadsWhileTheirCoordinatorIsSilent() {
    int a = balance(A);
    TestCoordination.SILENT.set(new CountDownLatch(1));
    List<CompletableFuture<Answer>> first = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      String slow = "urn:silent:" + id + ":" + i;
      first.add(CompletableFuture.supplyAsync(() -> deposit(A, context(slow), 0), task -> new Thread(task).start()));
    }
    Condition.await("16 calls to register", () -> TestCoordination.WAITING.get() == 16);
    Answer refused = deposit(A, context("urn:test:one-more"), 0);
    assertEquals("Overloaded", code(refused), refused.text());
    assertTrue(refused.text().contains("This client has reached its share"), refused.text());
    TestCoordination.SILENT.get().countDown();
    first.forEach(one -> assertEquals("TransactionAborted", code(one.join())));
    assertEquals(a, value(deposit(A, context("urn:test:one-more"), 0)), "a retry");
    all(TestCoordination.REGISTERED.get("urn:test:one-more"), one -> one.abort("urn:test:one-more"));
  }

  @Test
  void whatCannotBeRegisteredIsNotExecuted() {
    int a = balance(A);
    Answer refused = deposit(A, context("urn:unreachable:" + id), 5);
    assertEquals("TransactionAborted", code(refused));
    assertTrue(refused.text().contains("The coordinator is not reached"), refused.text());
    Answer defective = deposit(A, context("urn:defective:" + id), 5);
    assertEquals("TransactionAborted", code(defective), defective.text());
    assertEquals("TransactionAborted", code(deposit(A, context("urn:defective:" + id), 5)), "its first call does not occupy it");
    assertEquals("BadRequest", code(deposit(A, context("invalid"), 5)));
    assertTrue(deposit(A, context(id) + context(id), 5).status() >= 400);
    assertEquals(a, balance(A));
    assertEquals(a + 1, value(deposit(A, "", 1)));
  }
}
