package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import jakarta.xml.ws.Dispatch;
import jakarta.xml.ws.Service;
import jakarta.xml.ws.WebServiceException;
import jakarta.xml.ws.soap.SOAPBinding;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.xml.namespace.QName;
import javax.xml.transform.Source;
import javax.xml.transform.stream.StreamSource;
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
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.attachment.ServiceResources;
import org.understudy.container.transaction.TransactionHttpTest.RemoteAccount;
import org.understudy.replication.api.FailureCode;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.network.FreePorts;

/** Transactions over two groups, with the first as the coordinator, over plain HTTP. */
@NoticesSilence(because = "a primary stands still at a message")
class PeerTransactionHttpTest {
  private static final String A = "/soap/a";
  private static final int REPLICAS = 3;
  private static final byte[] SECRET = "a secret of two groups".getBytes(StandardCharsets.UTF_8);
  private static final String TYPE = "text/xml; charset=UTF-8";
  private static TestCluster bank;
  private static TestCluster shop;
  private static PeerRelay toBank;
  private static PeerRelay toShop;
  private static int ids;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    toBank = new PeerRelay();
    toShop = new PeerRelay();
    // The first address of each group is dead.
    String dead = "http://127.0.0.1:" + FreePorts.next() + "/";
    shop = group(directory, "shop", "bank=" + dead + ",bank=" + toBank.address());
    bank = group(directory, "bank", "shop=" + dead + ", shop=" + toShop.address());
    relay();
  }

  private static void relay() {
    toBank.to(message -> bank.post(bank.primary(), A, message, TYPE));
    toShop.to(message -> shop.post(shop.primary(), A, message, TYPE));
  }

  private static void publish(Bus bus) {
    new EndpointImpl(bus, new Account()).publish("/a");
    new EndpointImpl(bus, new Purses(new ServiceResources<>())).publish("/purses");
  }

  private static TestCluster group(Path directory, String name, String peers) throws Exception {
    return new TestCluster(
        Files.createDirectory(directory.resolve(name)), new OwnServlet(PeerTransactionHttpTest::publish), REPLICAS, settings(name, peers));
  }

  @AfterAll
  static void stop() throws Exception {
    toBank.close();
    toShop.close();
    try {
      bank.close();
    } finally {
      shop.close();
    }
  }

  private static Map<String, String> settings(String group, String peers) {
    return Map.of(
        "understudy.endpoints", "*",
        "understudy.strategy", "primary-backup",
        "understudy.execution.ms", "2000",
        "understudy.group", group,
        "understudy.transaction.peers", peers,
        "understudy.transaction.secret", new String(SECRET, StandardCharsets.UTF_8),
        "understudy.transaction.lifetime.ms", "600000");
  }

  // ---- requests

  private static Answer post(TestCluster group, String header, String body) {
    return group.post(
        group.primary(), A, envelope(header, body).getBytes(StandardCharsets.UTF_8), TYPE);
  }

  private static String in(String transaction, String coordinator) {
    return header("<Transaction><Id>" + transaction + "</Id><Coordinator>" + coordinator + "</Coordinator></Transaction>");
  }

  private static Answer deposit(TestCluster group, String header, int amount) {
    return post(group, header, "<n:deposit xmlns:n=\"urn:account\"><amount>" + amount + "</amount></n:deposit>");
  }

  private static int value(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  private static int balance(TestCluster group) {
    return value(post(group, "", "<n:balance xmlns:n=\"urn:account\"/>"));
  }

  private static String begin() {
    Answer begun = post(bank, "", "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>");
    assertEquals(200, begun.status(), begun.text());
    return begun.between("<ur:Transaction>", "</ur:Transaction>");
  }

  private static Answer end(String operation, String transaction) {
    return post(
        bank, "",
        "<" + operation + " xmlns=\"urn:understudy:replication:1\"><Transaction>" + transaction + "</Transaction></" + operation + ">");
  }

  private static String code(Answer answer) {
    return answer.status() == 200 ? answer.text() : answer.between("<ur:Code>", "</ur:Code>");
  }

  /** Begins a transaction with 5 for the bank and 7 for the shop. */
  private static String transfer() {
    String transaction = begin();
    value(deposit(bank, in(transaction, "bank"), 5));
    value(deposit(shop, in(transaction, "bank"), 7));
    return transaction;
  }

  private static boolean doubtful(TestCluster group) {
    return group.health(group.primary(), "ready").body().contains("\"inDoubtTransactions\":1");
  }

  private static void restart(TestCluster group, int replica) throws Exception {
    group.start(replica);
    group.awaitReady(replica);
  }

  /** Sends the shop a message of the bank. */
  private static String ask(byte[] secret, PeerMessage.Kind kind, String to, String from, String id, String part) {
    return ask(shop, secret, kind, to, from, id, part);
  }

  /** Sends the bank a message of the shop. */
  private static String askBank(PeerMessage.Kind kind, String id, String part) {
    return ask(bank, SECRET, kind, "bank", "shop", id, part);
  }

  private static String ask(
      TestCluster group, byte[] secret, PeerMessage.Kind kind, String to, String from, String id, String part) {
    PeerMessage message = new PeerMessage(kind, "nonce" + ++ids, to, from, id, part);
    Answer answer = group.post(group.primary(), A, message.envelope(secret), TYPE);
    return answer.status() == 200 ? message.answerIn(answer.text().getBytes(StandardCharsets.UTF_8), secret) : code(answer) + answer.text();
  }

  // ---- tests

  @Test
  void bothGroupsCommit() {
    int a = balance(bank);
    int b = balance(shop);
    String transaction = transfer();
    assertEquals(b + 8, value(deposit(shop, in(transaction, "bank"), 1)));
    assertEquals(b, balance(shop), "a read of another client shows what is committed");
    assertEquals("BadRequest", code(post(
        shop, "", "<CommitTransaction xmlns=\"urn:understudy:replication:1\"><Transaction>" + transaction
            + "</Transaction></CommitTransaction>")), "only its coordinator ends it");
    assertEquals(200, end("CommitTransaction", transaction).status());
    assertEquals(a + 5, balance(bank));
    Condition.await("the shop to commit", () -> post(shop, "", "<n:balance xmlns:n=\"urn:account\"/>").status() == 200);
    Condition.await("the shop to commit", () -> balance(shop) == b + 8);
    assertEquals(200, end("CommitTransaction", transaction).status(), "repeated");
  }

  @Test
  void aRegistrationIsRepeatedWhileTheCoordinatorBegins() {
    int a = balance(bank);
    int b = balance(shop);
    Queue<Integer> answers = new ConcurrentLinkedQueue<>(List.of(1, 2));
    toBank.to(message -> answers.poll() == null ? bank.post(bank.primary(), A, message, TYPE) : answer(message, "retry"));
    String transaction = transfer();
    relay();
    assertTrue(answers.isEmpty());
    assertEquals(200, end("CommitTransaction", transaction).status());
    assertEquals(a + 5, balance(bank));
    Condition.await("the shop to commit", () -> post(shop, "", "<n:balance xmlns:n=\"urn:account\"/>").status() == 200);
    Condition.await("the shop to commit", () -> balance(shop) == b + 7);
  }

  private static Answer answer(byte[] message, String content) {
    try {
      byte[] body = PeerMessage.read(message, SECRET, "bank").answer(SECRET, content);
      String text = envelope("", new String(body, StandardCharsets.UTF_8));
      return new Answer(200, text.getBytes(StandardCharsets.UTF_8), "");
    } catch (RefusedCallException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void bothGroupsAbort() {
    int a = balance(bank);
    int b = balance(shop);
    String transaction = transfer();
    assertEquals(200, end("AbortTransaction", transaction).status());
    assertEquals(a, balance(bank));
    Condition.await("the shop to abort", () -> deposit(shop, "", 1).status() == 200);
    assertEquals(b + 1, balance(shop));
    assertEquals("TransactionAborted", code(end("CommitTransaction", transaction)));
  }

  @Test
  void aPartThatIsLostBeforeTheVoteAbortsTheTransaction() throws Exception {
    int a = balance(bank);
    int b = balance(shop);
    String transaction = transfer();
    int primary = shop.primary();
    shop.stop(primary);
    assertEquals(b, balance(shop));
    assertEquals("TransactionAborted", code(end("CommitTransaction", transaction)));
    assertEquals(a, balance(bank));
    assertEquals(b, balance(shop));

    restart(shop, primary);
    String second = transfer();
    primary = shop.primary();
    shop.stop(primary);
    assertEquals(b, balance(shop));
    assertEquals("TransactionAborted", code(deposit(shop, in(second, "bank"), 1)), "another part of the same group");
    assertEquals("TransactionAborted", code(end("CommitTransaction", second)));
    assertEquals(a, balance(bank));
    assertEquals(b, balance(shop));
    restart(shop, primary);
  }

  /** The commit waits for a vote. Whoever asks meanwhile, or later, does not hear of an abort. */
  @Test
  void whatIsBeingCommittedIsNoAbort() {
    int b = balance(shop);
    String transaction = transfer();
    String part = toBank.part();
    toShop.lose(PeerMessage.Kind.PREPARE);
    CompletableFuture<Answer> commit = CompletableFuture.supplyAsync(() -> end("CommitTransaction", transaction));
    assertReported(bank, bank.primary(), "open " + transaction + ": with other groups, calls: 1, is being committed or prepared", "\n");
    assertEquals("lost", askBank(PeerMessage.Kind.REGISTER, transaction, "another"));
    assertEquals("active", askBank(PeerMessage.Kind.STATUS, transaction, part));
    assertEquals("StillPending", code(end("CommitTransaction", transaction)));
    assertEquals("BadRequest", code(end("AbortTransaction", transaction)));
    toShop.lose();
    Answer committed = commit.join();
    assertEquals(200, committed.status(), committed.text());
    Condition.await("the shop to commit", () -> post(shop, "", "<n:balance xmlns:n=\"urn:account\"/>").status() == 200);
    Condition.await("the shop to commit", () -> balance(shop) == b + 7);
    assertEquals("lost", askBank(PeerMessage.Kind.REGISTER, transaction, "another"));
    assertEquals("committed", askBank(PeerMessage.Kind.STATUS, transaction, part), "also when all have acknowledged it");
    String late = ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, part);
    assertTrue(late.startsWith("StillPending"), late);
    assertEquals("BadRequest", code(deposit(shop, in(transaction, "bank"), 1)), "its part is committed");
  }

  @Test
  void aParticipantInDoubtLearnsTheAbort() {
    int a = balance(bank);
    int b = balance(shop);
    String transaction = transfer();
    String part = toBank.part();
    toShop.lose(PeerMessage.Kind.ABORT);
    assertEquals("aborted", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, "another"), "not the part that is open");
    assertEquals("prepared", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, part));
    assertEquals("prepared", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, part), "repeated");
    assertTrue(doubtful(shop));
    assertEquals(200, end("AbortTransaction", transaction).status());
    Condition.await("the shop to learn the abort", () -> !doubtful(shop));
    toShop.lose();
    assertEquals(a, balance(bank));
    assertEquals(b, balance(shop));
  }

  @Test
  void theNextPrimariesFinishWhatIsDecided() throws Exception {
    int a = balance(bank);
    int b = balance(shop);
    String transaction = transfer();
    toShop.lose(PeerMessage.Kind.COMMIT);
    toBank.lose(PeerMessage.Kind.STATUS);
    Answer committed = end("CommitTransaction", transaction);
    assertEquals(200, committed.status(), committed.text());
    assertTrue(doubtful(shop));
    assertEquals("Overloaded", code(deposit(shop, "", 1)), "no guess: the object stays locked");
    assertReported(bank, bank.primary(), "committed " + transaction + ": not acknowledged for ", " s by shop\n");
    assertReported(bank, bank.backup(), "proposed " + transaction + ": not acknowledged for ", " s by shop\n");
    assertReported(shop, shop.backup(), "in doubt " + transaction + ": for ", " s, waits for the decision of the group bank\n");
    assertTrue(bank.health(bank.primary(), "ready").body().contains("\"unacknowledgedDecisions\":1"));
    Condition.await("an age", () -> !shop.health(shop.backup(), "ready").body().contains("\"oldestInDoubtSeconds\":0"));
    Condition.await("an age", () -> !bank.health(bank.backup(), "ready").body().contains("\"oldestUnacknowledgedSeconds\":0"));
    assertTrue(assertThrows(RuntimeMBeanException.class, () -> control(shop, shop.backup(), "commit", transaction))
        .getCause().getMessage().endsWith("Decide at the primary."));
    int coordinator = bank.primary();
    int participant = shop.primary();
    bank.stop(coordinator);
    shop.stop(participant);
    assertEquals(a + 5, balance(bank));
    assertTrue(doubtful(shop));
    // The next primary of the participant asks the next one of the coordinator.
    toBank.lose();
    Condition.await("the shop to learn the commit", () -> !doubtful(shop));
    toShop.lose();
    assertEquals(b + 7, balance(shop));
    bank.start(coordinator);
    shop.start(participant);
    bank.awaitReady(coordinator);
    shop.awaitReady(participant);
  }

  @Test
  void aPrimaryThatStopsAtAnyMessageLeavesAllOrNothing() {
    try {
      new FailpointWalk(bank, toBank, shop, toShop).walk();
    } finally {
      relay();
    }
  }

  // ---- the stub

  private static FaultTolerance client(TestCluster group) {
    return FaultTolerance.ofDefaults(IntStream.rangeClosed(1, REPLICAS).mapToObj(number -> group.uri(number, A)).toList());
  }

  @Test
  void aStubMakesTransactionsOverBothGroups() throws Exception {
    int a = balance(bank);
    int b = balance(shop);
    try (FaultTolerantGroup banks = FaultTolerant.group(client(bank)); FaultTolerantGroup shops = FaultTolerant.group(client(shop))) {
      RemoteAccount account = banks.client(RemoteAccount.class, null);
      RemoteAccount till = shops.client(RemoteAccount.class, null);
      try (Transaction transaction = Transaction.begin(account, till)) {
        assertEquals(a + 5, account.deposit(5));
        assertEquals(b + 7, till.deposit(7));
        assertEquals(b, balance(shop));
        transaction.commit();
      }
      assertEquals(a + 5, account.balance());
      assertEquals(b + 7, till.balance(), "waits until the shop has committed");

      try (Transaction aborted = Transaction.begin(till, account)) {
        assertEquals(a + 9, account.deposit(4));
        assertEquals(b + 11, till.deposit(4));
        assertTrue(aborted.id().startsWith(OpenTransactions.prefix("shop")), aborted.id());
      }
      assertEquals(a + 5, account.balance());
      assertEquals(b + 7, till.balance());

      for (TestCluster lost : List.of(bank, shop)) {
        try (Transaction transaction = Transaction.begin(account, till)) {
          account.deposit(4);
          till.deposit(4);
          int primary = lost.primary();
          lost.stop(primary);
          RemoteAccount next = lost == bank ? account : till;
          assertEquals(FailureCode.TransactionAborted, failure(assertThrows(WebServiceException.class, () -> next.deposit(1))));
          assertEquals(
              FailureCode.TransactionAborted, failure(assertThrows(InvocationFailedException.class, transaction::commit)));
          restart(lost, primary);
        }
        // No lifetime ends here, so the other group has learned that its part is lost.
        try (Transaction again = Transaction.begin(account, till)) {
          account.deposit(1);
          till.deposit(1);
          again.commit();
        }
      }
      assertEquals(a + 7, account.balance());
      assertEquals(b + 9, till.balance());
    }
  }

  private static FailureCode failure(Exception thrown) {
    Throwable failure = thrown instanceof InvocationFailedException ? thrown : thrown.getCause();
    return ((InvocationFailedException) failure).code().orElseThrow();
  }

  @Test
  void aPortIsInOneTransaction() throws Exception {
    try (FaultTolerantGroup banks = FaultTolerant.group(client(bank)); FaultTolerantGroup shops = FaultTolerant.group(client(shop))) {
      RemoteAccount account = banks.client(RemoteAccount.class, null);
      RemoteAccount till = shops.client(RemoteAccount.class, null);
      QName name = new QName("urn:account", "Account");
      QName port = new QName("urn:account", "AccountPort");
      Service service = Service.create(name);
      service.addPort(port, SOAPBinding.SOAP11HTTP_BINDING, shop.uri(1, A).toString());
      Dispatch<Source> plain = service.createDispatch(port, Source.class, Service.Mode.PAYLOAD);
      Dispatch<Source> dispatch = service.createDispatch(port, Source.class, Service.Mode.PAYLOAD, shops.feature());
      assertThrows(IllegalArgumentException.class, () -> Transaction.begin(account, plain));
      assertThrows(IllegalArgumentException.class, () -> Transaction.begin("account"));
      try (Transaction transaction = Transaction.begin(account, dispatch)) {
        assertThrows(IllegalStateException.class, () -> Transaction.begin(till, account));
        till.balance();
        dispatch.invoke(new StreamSource(new StringReader("<n:deposit xmlns:n=\"urn:account\"><amount>1</amount></n:deposit>")));
        int before = balance(shop);
        transaction.commit();
        Condition.await("the shop to commit", () -> till.balance() == before + 1);
      }
      assertTrue(shop.health(shop.primary(), "ready").body().contains("\"openTransactions\":0"), "what could not be used is aborted");
    }
  }

  static String control(TestCluster group, int replica, String operation, String... parameters) {
    String quoted = ObjectName.quote(group.setting("understudy.group"));
    String[] types = Stream.of(parameters).map(one -> String.class.getName()).toArray(String[]::new);
    try {
      ObjectName name = new ObjectName("org.understudy:type=Transactions,group=" + quoted + ",replica=" + replica);
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(name, operation, parameters, types);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertReported(TestCluster group, int replica, String beginning, String end) {
    Condition.await("replica " + replica + " to know the transaction", () -> {
      String report = control(group, replica, "report");
      return report.startsWith(beginning) && report.endsWith(end);
    });
  }

  @Test
  void anOperatorSeesOpenTransactions() {
    Condition.await("no transaction", () -> control(bank, bank.primary(), "report").startsWith("No transaction is open"));
    String transaction = transfer();
    assertReported(bank, bank.primary(), "open " + transaction + ": with other groups, calls: 1, is aborted in ", " s unless it ends\n");
    assertReported(
        shop, shop.primary(), "open " + transaction + ": a part of a transaction of the group bank, calls: 1, is aborted in ",
        " s unless it ends\n");
    assertEquals(200, end("AbortTransaction", transaction).status());
    Condition.await("no transaction", () -> control(shop, shop.primary(), "report").startsWith("No transaction is open"));
  }

  private static boolean showsContradiction(TestCluster group) {
    return group.health(group.primary(), "ready").body().contains("\"contradictedDecisions\":1");
  }

  @Test
  void anOperatorAndACoordinatorThatContradictAreBothShown() {
    int a = balance(bank);
    int b = balance(shop);
    String committed = transfer();
    toShop.lose(PeerMessage.Kind.COMMIT);
    toBank.lose(PeerMessage.Kind.STATUS);
    assertEquals(200, end("CommitTransaction", committed).status());
    assertEquals("The transaction " + committed + " is aborted.", control(shop, shop.primary(), "abort", committed));
    toShop.lose();
    toBank.lose();
    assertReported(
        bank, bank.primary(), "committed " + committed + ": not acknowledged for ", " s by shop; aborted by operators of shop\n");
    String differ = ", so its participants differ\n";
    assertReported(shop, shop.primary(), "aborted by an operator " + committed + ": its coordinator has committed it", differ);
    assertReported(shop, shop.backup(), "aborted by an operator " + committed + ": its coordinator has committed it", differ);
    assertTrue(showsContradiction(bank));
    assertTrue(showsContradiction(shop));
    assertEquals(a + 5, balance(bank));
    assertEquals(b, balance(shop));
    control(shop, shop.primary(), "forget", committed);
    Condition.await("an acknowledgement", () -> control(bank, bank.primary(), "report").startsWith("No transaction is open"));

    String aborted = transfer();
    String part = toBank.part();
    toShop.lose(PeerMessage.Kind.ABORT);
    toBank.lose(PeerMessage.Kind.STATUS);
    assertEquals("prepared", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", aborted, part));
    assertEquals("The transaction " + aborted + " is committed.", control(shop, shop.primary(), "commit", aborted));
    assertEquals(200, end("AbortTransaction", aborted).status());
    toBank.lose();
    // An abort is sent once, so the group asks for it.
    assertReported(shop, shop.primary(), "committed by an operator " + aborted + ": its coordinator has aborted it", differ);
    toShop.lose();
    assertEquals(b + 7, balance(shop));
    control(shop, shop.primary(), "forget", aborted);
  }

  @Test
  void aLostVoteOfAPartThatHasOnlyReadIsRepeated() {
    int b = balance(shop);
    String transaction = begin();
    assertEquals(b, value(post(shop, in(transaction, "bank"), "<n:balance xmlns:n=\"urn:account\"/>")));
    String part = toBank.part();
    assertEquals("read-only", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, part));
    assertEquals("aborted", ask(SECRET, PeerMessage.Kind.PREPARE, "shop", "bank", transaction, "another"));
    assertEquals(200, end("CommitTransaction", transaction).status());
  }

  @Test
  void whatIsNotConfiguredIsRefused() {
    int b = balance(shop);
    assertEquals("BadRequest", code(deposit(shop, in("urn:understudy:transaction:other:1", "other"), 1)));
    assertEquals("BadRequest", code(deposit(shop, in("urn:understudy:transaction:other:1", "bank"), 1)), "the id of another group");
    String aborted = begin();
    assertEquals(200, end("AbortTransaction", aborted).status());
    assertEquals("TransactionAborted", code(deposit(shop, in(aborted, "bank"), 1)), "not open");
    assertEquals(
        "TransactionOutcomeUnknown", code(deposit(shop, in(OpenTransactions.prefix("bank") + "another.1", "bank"), 1)), "of another life");
    byte[] wrong = "a secret of another".getBytes(StandardCharsets.UTF_8);
    for (PeerMessage.Kind kind : PeerMessage.Kind.values()) {
      assertTrue(ask(wrong, kind, "shop", "bank", OpenTransactions.prefix("shop") + "1", "p").contains("has no true proof"));
      assertTrue(ask(SECRET, kind, "bank", "bank", OpenTransactions.prefix("shop") + "1", "p").contains("is for the group bank"));
      assertTrue(ask(SECRET, kind, "shop", "thief", OpenTransactions.prefix("shop") + "1", "p").contains("is not listed"));
    }
    assertTrue(ask(SECRET, PeerMessage.Kind.STATUS, "shop", "bank", OpenTransactions.prefix("bank") + "1", "p").contains("not begun"));
    assertEquals("lost", ask(SECRET, PeerMessage.Kind.STATUS, "shop", "bank", OpenTransactions.prefix("shop") + "another.1", "p"));
    assertEquals(b, balance(shop));
    assertEquals(b + 1, value(deposit(shop, "", 1)));
  }
}
