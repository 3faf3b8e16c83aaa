package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.client.Transaction;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.container.Soap;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.attachment.ServiceResources;
import org.understudy.container.durable.DurableNotebook;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Transactions of calls to two services of one group, over plain HTTP. The group has the strategy primary-backup. */
class TransactionHttpTest {
  /** Of deposits; not in the service, where it would be state of no replica. */
  static final AtomicInteger EXECUTIONS = new AtomicInteger();

  private static final String A = "/soap/a";
  private static final String B = "/soap/b";
  private static TestCluster site;
  private static int nonces;

  private String session;
  private int sequence;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    Map<String, String> settings =
        Map.of(
            "understudy.endpoints", "*",
            "understudy.strategy", "primary-backup",
            "understudy.execution.ms", "2000",
            "understudy.transaction.lifetime.ms", "600000",
            "understudy.transaction.calls", "5");
    site = new TestCluster(directory, new OwnServlet(TransactionHttpTest::publish), 3, settings);
  }

  @AfterAll
  static void stop() throws Exception {
    site.close();
  }

  static void publish(Bus bus) {
    new EndpointImpl(bus, new Account()).publish("/a");
    new EndpointImpl(bus, new Account()).publish("/b");
    new EndpointImpl(bus, new DefectiveAccount()).publish("/defective");
    new EndpointImpl(bus, new DurableNotebook(new ServiceResources<>())).publish("/notes");
  }

  // ---- requests

  private static Answer post(int replica, String path, String envelope) {
    return site.post(replica, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static String openSession() {
    String open = String.format("<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>%032x</Nonce></OpenSession>", ++nonces);
    return post(site.primary(), "/replication", envelope("", open)).between("<ur:Session>", "</ur:Session>");
  }

  private static String in(String transaction) {
    return transaction == null ? "" : "<Transaction><Id>" + transaction + "</Id></Transaction>";
  }

  /** The header of the next request in this test's session. */
  private String identified(String transaction) {
    session = session == null ? openSession() : session;
    return header(
        "<Session>" + session + "</Session><Sequence>" + ++sequence + "</Sequence><AckBelow>1</AckBelow>" + in(transaction));
  }

  private static String operation(String name, String transaction) {
    return "<" + name + " xmlns=\"urn:understudy:replication:1\">"
        + (transaction == null ? "" : "<Transaction>" + transaction + "</Transaction>") + "</" + name + ">";
  }

  private static String deposit(int amount) {
    return "<n:deposit xmlns:n=\"urn:account\"><amount>" + amount + "</amount></n:deposit>";
  }

  private static String begin() {
    return begin(site.primary());
  }

  private static String begin(int replica) {
    Answer begun = post(replica, A, envelope("", operation("BeginTransaction", null)));
    assertEquals(200, begun.status(), begun.text());
    return begun.between("<ur:Transaction>", "</ur:Transaction>");
  }

  private static Answer end(String operation, String transaction) {
    return post(site.primary(), B, envelope("", operation(operation, transaction)));
  }

  private static String code(Answer answer) {
    return answer.status() == 200 ? answer.text() : answer.between("<ur:Code>", "</ur:Code>");
  }

  private static int value(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  private static int balance(String path) {
    return value(post(site.primary(), path, envelope("", "<n:balance xmlns:n=\"urn:account\"/>")));
  }

  private static long open() {
    return Long.parseLong(site.health(site.primary(), "ready").body().replaceFirst("(?s).*\"openTransactions\":(\\d+).*", "$1"));
  }

  private static Answer deposit(String path, String transaction, int amount) {
    return post(site.primary(), path, envelope(header(in(transaction)), deposit(amount)));
  }

  private static void restart(int replica) throws Exception {
    site.start(replica);
    site.awaitReady(replica);
  }

  // ---- tests

  @Test
  void theContractNamesAnAddressForTransactions() throws Exception {
    int backup = site.backup();
    String contract;
    try (InputStream in = site.uri(backup, "/replication?wsdl").toURL().openStream()) {
      contract = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
    Map<String, URI> expected =
        Map.of("SessionPort", site.uri(backup, "/replication"), "TransactionPort", site.uri(backup, A));
    expected.forEach((port, address) -> {
      Matcher found = Pattern.compile("(?s)name=\"" + port + "\".*?location=\"(.*?)\"").matcher(contract);
      assertTrue(found.find(), port);
      assertEquals(address.toString(), found.group(1));
    });
    assertEquals(200, post(backup, A, envelope("", operation("AbortTransaction", "urn:none"))).status());
  }

  @Test
  void aCommitIsAtomicAndSurvivesTheLossOfThePrimary() throws Exception {
    int a = balance(A);
    int b = balance(B);
    String transaction = begin();
    assertEquals(a + 5, value(deposit(A, transaction, 5)));
    assertEquals(b + 7, value(deposit(B, transaction, 7)));
    assertEquals(a + 6, value(deposit(A, transaction, 1)));
    assertEquals(a, balance(A), "a read of another client shows what is committed");
    assertEquals(b, balance(B));
    int primary = site.primary();
    String commit = envelope(identified(null), operation("CommitTransaction", transaction));
    Answer committed = post(primary, B, commit);
    assertEquals(200, committed.status(), committed.text());
    assertTrue(committed.text().contains("CommitTransactionResponse"), committed.text());
    site.stop(primary);

    int next = site.primary();
    assertNotEquals(primary, next);
    assertEquals(a + 6, balance(A));
    assertEquals(b + 7, balance(B));
    Answer repeated = post(next, B, commit);
    assertEquals("replayed", repeated.between("<ur:Status>", "</ur:Status>"));
    assertEquals(committed.body(), repeated.body());
    assertEquals(200, end("CommitTransaction", transaction).status(), "a client without request ids gets the true answer too");
    assertEquals("BadRequest", code(end("AbortTransaction", transaction)));
    assertEquals("BadRequest", code(deposit(A, transaction, 1)));
    assertEquals(a + 6, balance(A));
    restart(primary);
  }

  @Test
  void aTransactionEndsWithItsPrimary() throws Exception {
    int a = balance(A);
    int b = balance(B);
    String transaction = begin();
    value(deposit(A, transaction, 5));
    value(deposit(B, transaction, 7));
    int primary = site.primary();
    site.stop(primary);

    assertEquals("TransactionAborted", code(deposit(A, transaction, 5)));
    assertEquals("TransactionAborted", code(end("CommitTransaction", transaction)));
    assertEquals(200, end("AbortTransaction", transaction).status(), "nothing is left to abort");
    assertEquals(a, balance(A));
    assertEquals(b, balance(B));
    String again = begin();
    value(deposit(A, again, 5));
    value(deposit(B, again, 7));
    assertEquals(200, end("CommitTransaction", again).status());
    assertEquals(a + 5, balance(A));
    assertEquals(b + 7, balance(B));
    restart(primary);
  }

  @Test
  void aCallThatCannotEndAbortsItsTransaction() {
    long others = open();
    String transaction = begin();
    assertEquals(others + 1, open());
    value(deposit("/soap/defective", transaction, 5));
    DefectiveAccount.FAILS.set(true);
    assertNotEquals(200, deposit("/soap/defective", transaction, 5).status());
    Answer doomed = deposit("/soap/defective", transaction, 5);
    assertEquals("TransactionAborted", code(doomed), "its effect would be doubled");
    assertTrue(doomed.text().contains(" was aborted: "), doomed.text());
    assertEquals(others, open(), "its place is free");
    assertEquals(200, end("AbortTransaction", transaction).status());
    assertEquals(1, value(deposit("/soap/defective", null, 1)), "unlocked and undone");
  }

  @Test
  void aCallWithoutRequestIdThatTakesTooLongAbortsItsTransaction() {
    String transaction = begin();
    Answer pending = deposit("/soap/defective", transaction, 0);
    assertEquals("StillPending", code(pending));
    assertTrue(pending.text().contains(" has no request id, so its transaction is aborted. Begin another one."), pending.text());
    assertEquals("Overloaded", code(end("CommitTransaction", transaction)));
    DefectiveAccount.GOES_ON.release();
    String[] code = new String[1];
    Condition.await("the call to end", () -> {
      code[0] = code(end("CommitTransaction", transaction));
      return !code[0].equals("Overloaded");
    });
    assertEquals("TransactionAborted", code[0], "the client could repeat the call");
    assertEquals(200, end("AbortTransaction", transaction).status());
  }

  @Test
  void othersWaitForTheObjectAndAnAbortRestoresIt() {
    int a = balance(A);
    int b = balance(B);
    String transaction = begin();
    value(deposit(A, transaction, 5));
    value(deposit(B, transaction, 5));
    CompletableFuture<Answer> waiting =
        site.postLater(
            site.primary(), A, envelope(header("<Attempt>1</Attempt>"), deposit(100)).getBytes(StandardCharsets.UTF_8),
            "text/xml; charset=UTF-8");
    Answer refused = waiting.join();
    assertEquals("Overloaded", code(refused));
    assertEquals("no", refused.between("<ur:Executed>", "</ur:Executed>"));
    String other = begin();
    assertEquals("Overloaded", code(deposit(A, other, 1)), "not executed, and the transaction goes on");
    assertEquals(200, end("AbortTransaction", transaction).status());
    assertEquals(200, end("AbortTransaction", transaction).status());
    assertEquals(a, balance(A));
    assertEquals(b, balance(B));
    assertEquals("TransactionAborted", code(end("CommitTransaction", transaction)));
    assertEquals(a + 1, value(deposit(A, other, 1)));
    assertEquals(200, end("CommitTransaction", other).status());
    assertEquals(a + 1, balance(A));
  }

  @Test
  void aRepeatedCallIsExecutedOnce() {
    int a = balance(A);
    String transaction = begin();
    int executions = EXECUTIONS.get();
    String header = identified(transaction);
    Answer first = post(site.primary(), A, envelope(header, deposit(3)));
    Answer repeated = post(site.primary(), A, envelope(header, deposit(3)));
    assertEquals(a + 3, value(first));
    assertEquals(a + 3, value(repeated));
    assertEquals("DigestMismatch", code(post(site.primary(), A, envelope(header, deposit(4)))));
    assertEquals(executions + 1, EXECUTIONS.get());
    assertEquals(200, end("CommitTransaction", transaction).status());
    assertEquals(a + 3, balance(A));
  }

  @Test
  void aPlainClientReachesThePrimaryThroughAnyReplica() {
    int a = balance(A);
    int backup = site.backup();
    String transaction = begin(backup);
    assertEquals(a + 2, value(post(backup, A, envelope(header(in(transaction)), deposit(2)))));
    String read = envelope(header(in(transaction)), "<n:balance xmlns:n=\"urn:account\"/>");
    assertEquals(a + 2, value(post(backup, A, read)), "a read inside the transaction shows its changes");
    assertEquals(200, post(backup, A, envelope("", operation("CommitTransaction", transaction))).status());
    assertEquals(a + 2, balance(A));
  }

  @Test
  void whatIsInvalidIsRefused() {
    int a = balance(A);
    assertEquals("TransactionAborted", code(deposit(A, "urn:understudy:transaction:other", 1)));
    assertTrue(post(site.primary(), A, envelope(header(in("")), deposit(1))).status() >= 400);
    assertTrue(post(site.primary(), A, envelope(header(in("a b")), deposit(1))).status() >= 400);
    assertEquals("BadRequest", code(end("CommitTransaction", null)));
    String transaction = begin();
    for (int i = 1; i <= 5; i++) {
      assertEquals(a + i, value(deposit(A, transaction, 1)));
    }
    assertEquals("TooLarge", code(deposit(A, transaction, 1)));
    assertEquals(200, end("CommitTransaction", transaction).status());
    assertEquals(a + 5, balance(A));
  }

  private static Answer notes(String operation, String text, String transaction) {
    return post(site.primary(), "/soap/notes", envelope(header(in(transaction)), Soap.notebook(operation, text)));
  }

  private static String text() {
    return notes("text", null, null).text();
  }

  @Test
  void durableObjectsTakePart() throws Exception {
    int a = balance(A);
    String before = text();
    String transaction = begin();
    assertEquals(200, notes("append", "one", transaction).status());
    assertEquals(200, notes("append", "two", transaction).status());
    value(deposit(A, transaction, 1));
    assertEquals(200, end("AbortTransaction", transaction).status());
    assertEquals(before, text());
    assertEquals(a, balance(A));

    String failing = begin();
    assertEquals(200, notes("append", "three", failing).status());
    assertEquals(500, notes("stumble", "four", failing).status(), "the operation is undone by itself, so the transaction can only abort");
    value(deposit(A, failing, 1));
    assertEquals("TransactionAborted", code(end("CommitTransaction", failing)));
    assertEquals(before, text());
    assertEquals(a, balance(A));

    String last = begin();
    assertEquals(200, notes("append", "five", last).status());
    assertEquals(200, notes("append", "six", last).status());
    value(deposit(A, last, 1));
    assertEquals(200, end("CommitTransaction", last).status());
    assertEquals(200, notes("append", "seven", null).status());
    String after = text();
    assertTrue(after.contains("fivesixseven"), after);
    int primary = site.primary();
    site.stop(primary);
    assertTrue(text().contains("fivesixseven"), text());
    assertEquals(a + 1, balance(A));
    restart(primary);
  }

  /** A service of the same group, at the client. */
  @WebService(targetNamespace = "urn:account", name = "Account")
  public interface RemoteAccount {
    int deposit(@WebParam(name = "amount") int amount);

    int balance();
  }

  private static FaultTolerance client(String path) {
    return FaultTolerance.ofDefaults(IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, path)).toList());
  }

  @Test
  void aStubCommitsAbortsAndBeginsAgain() throws Exception {
    int before = balance(A);
    int beforeB = balance(B);
    try (FaultTolerantGroup accounts = FaultTolerant.group(client(A)); FaultTolerantGroup others = FaultTolerant.group(client(B))) {
      RemoteAccount a = accounts.client(RemoteAccount.class, null);
      RemoteAccount b = others.client(RemoteAccount.class, null);
      try (Transaction transaction = Transaction.begin(a)) {
        transaction.include(b);
        assertEquals(before + 1, a.deposit(1));
        assertEquals(beforeB + 2, b.deposit(2));
        assertEquals(before + 1, a.balance());
        transaction.commit();
      }
      assertEquals(before + 1, balance(A));
      assertEquals(beforeB + 2, balance(B));
      try (Transaction transaction = Transaction.begin(a)) {
        assertEquals(before + 5, a.deposit(4));
        assertTrue(transaction.id().startsWith("urn:understudy:transaction:"), transaction.id());
      }
      assertEquals(before + 1, a.balance());

      Transaction lost = Transaction.begin(a);
      a.deposit(4);
      int primary = site.primary();
      site.stop(primary);
      InvocationFailedException failed = assertThrows(InvocationFailedException.class, lost::commit);
      assertEquals(FailureCode.TransactionAborted, failed.code().orElseThrow());
      assertEquals(Certainty.NOT_EXECUTED, failed.certainty());
      try (Transaction again = Transaction.begin(a)) {
        a.deposit(4);
        again.commit();
      }
      assertEquals(before + 5, a.balance());
      restart(primary);
    }
  }

  /** Without replication nothing keeps the states for an undo, so the transaction does. */
  @Test
  void aTransactionThatTakesTooLongIsUndone(@TempDir Path directory) throws Exception {
    Map<String, String> settings = Map.of("understudy.endpoints", "*", "understudy.transaction.lifetime.ms", "100");
    try (TestCluster single = new TestCluster(directory, new OwnServlet(TransactionHttpTest::publish), 1, settings)) {
      byte[] begin = envelope("", operation("BeginTransaction", null)).getBytes(StandardCharsets.UTF_8);
      String transaction = single.post(1, A, begin, "text/xml").between("<ur:Transaction>", "</ur:Transaction>");
      byte[] deposit = envelope(header(in(transaction)), deposit(1)).getBytes(StandardCharsets.UTF_8);
      single.post(1, A, deposit, "text/xml");
      Condition.await("its end", () -> single.health(1, "ready").body().contains("\"openTransactions\":0"));
      assertEquals("TransactionAborted", code(single.post(1, A, deposit, "text/xml")));
      byte[] balance = envelope("", "<n:balance xmlns:n=\"urn:account\"/>").getBytes(StandardCharsets.UTF_8);
      assertEquals(0, value(single.post(1, A, balance, "text/xml")));
    }
  }

  @Test
  void oneClientHasAQuarterOfTheOpenTransactions() {
    String[] all = new String[25];
    for (int i = 0; i < all.length; i++) {
      all[i] = begin();
    }
    assertEquals("Overloaded", code(post(site.primary(), A, envelope("", operation("BeginTransaction", null)))));
    for (String one : all) {
      assertEquals(200, end("AbortTransaction", one).status());
    }
    Condition.await("no open transaction", () -> site.health(site.primary(), "ready").body().contains("\"openTransactions\":0"));
  }
}
