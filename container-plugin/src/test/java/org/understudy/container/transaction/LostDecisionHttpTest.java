package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;

/** The group that coordinates loses its memory, and with it what it has decided. */
class LostDecisionHttpTest {
  private static final String A = "/soap/a";
  private static final String TYPE = "text/xml; charset=UTF-8";
  private static final int REPLICAS = 3;
  private static final String UNKNOWN = "TransactionOutcomeUnknown";

  private static PeerRelay toBank;
  private static PeerRelay toShop;
  private static TestCluster shop;

  private TestCluster bank;

  @BeforeAll
  static void start(@TempDir Path directory) throws Exception {
    toBank = new PeerRelay();
    toShop = new PeerRelay();
    shop = group(directory, "shop", REPLICAS, "bank=" + toBank.address());
    toShop.to(message -> shop.post(shop.primary(), A, message, TYPE));
  }

  @AfterAll
  static void stop() throws Exception {
    toBank.close();
    toShop.close();
    shop.close();
  }

  // ---- requests

  private static Answer post(TestCluster group, String header, String body) {
    return group.post(group.primary(), A, envelope(header, body).getBytes(StandardCharsets.UTF_8), TYPE);
  }

  private static String in(String transaction) {
    return header("<Transaction><Id>" + transaction + "</Id><Coordinator>bank</Coordinator></Transaction>");
  }

  private static Answer deposit(TestCluster group, String header, int amount) {
    return post(group, header, "<n:deposit xmlns:n=\"urn:account\"><amount>" + amount + "</amount></n:deposit>");
  }

  private static void require(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
  }

  private static int balance(TestCluster group) {
    Answer answer = post(group, "", "<n:balance xmlns:n=\"urn:account\"/>");
    require(answer);
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  private static String code(Answer answer) {
    return answer.status() == 200 ? answer.text() : answer.between("<ur:Code>", "</ur:Code>");
  }

  private String begin() {
    Answer begun = post(bank, "", "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>");
    require(begun);
    return begun.between("<ur:Transaction>", "</ur:Transaction>");
  }

  private Answer end(String operation, String transaction) {
    return post(
        bank, "",
        "<" + operation + " xmlns=\"urn:understudy:replication:1\"><Transaction>" + transaction + "</Transaction></" + operation + ">");
  }

  private String transfer() {
    String transaction = begin();
    require(deposit(bank, in(transaction), 5));
    require(deposit(shop, in(transaction), 7));
    return transaction;
  }

  private static String control(String operation, String... parameters) {
    String[] types = Stream.of(parameters).map(one -> String.class.getName()).toArray(String[]::new);
    String group = ObjectName.quote("shop");
    try {
      ObjectName name = new ObjectName("org.understudy:type=Transactions,group=" + group + ",replica=" + shop.primary());
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(name, operation, parameters, types);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isDoubtful() {
    return shop.health(shop.primary(), "ready").body().contains("\"inDoubtTransactions\":1");
  }

  private static TestCluster group(Path directory, String name, int replicas, String peers) throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("understudy.transaction.peers", peers);
    settings.put("understudy.endpoints", "*");
    settings.put("understudy.group", name);
    settings.put("understudy.execution.ms", "2000");
    // One replica without replication begins empty whenever it starts.
    settings.put("understudy.restart", replicas == 1 ? "" : "empty");
    settings.put("understudy.strategy", replicas == 1 ? "none" : "primary-backup");
    settings.put("understudy.transaction.secret", "a secret of two groups");
    settings.put("understudy.transaction.lifetime.ms", "600000");
    return new TestCluster(
        Files.createDirectory(directory.resolve(name)), new OwnServlet(bus -> new EndpointImpl(bus, new Account()).publish("/a")), replicas,
        settings);
  }

  private void loseMemory(int replicas) throws Exception {
    for (int number = 1; number <= replicas; number++) {
      bank.stop(number);
    }
    for (int number = 1; number <= replicas; number++) {
      bank.start(number);
    }
    for (int number = 1; number <= replicas; number++) {
      bank.awaitReady(number);
    }
  }

  // ---- tests

  @ParameterizedTest
  @ValueSource(ints = {REPLICAS, 1})
  void aLostDecisionIsNotTakenForAnAbort(int replicas, @TempDir Path directory) throws Exception {
    try (TestCluster cluster = group(directory, "bank", replicas, "shop=" + toShop.address())) {
      bank = cluster;
      toBank.to(message -> bank.post(bank.primary(), A, message, TYPE));
      assertEquals(200, end("AbortTransaction", begin()).status());
      int before = balance(shop);

      String open = begin();
      String committed = committedWithoutTheShop();
      assertTrue(isDoubtful());
      loseMemory(replicas);
      toBank.lose();
      toShop.lose();
      Condition.await("the answer of the coordinator", () -> control("report").contains("which has lost its memory and does not know it"));
      assertTrue(isDoubtful(), "not aborted");

      for (String lost : List.of(committed, open)) {
        assertEquals(UNKNOWN, code(end("CommitTransaction", lost)));
        assertEquals(UNKNOWN, code(end("AbortTransaction", lost)));
        assertEquals(UNKNOWN, code(deposit(bank, in(lost), 1)));
      }
      assertEquals("The transaction " + committed + " is committed.", control("commit", committed));
      assertFalse(isDoubtful());
      assertEquals(before + 7, balance(shop));
      assertEquals(UNKNOWN, code(deposit(shop, in(open), 1)), "it cannot register any more");
      control("forget", committed);

      String next = transfer();
      require(end("CommitTransaction", next));
      assertEquals(5, balance(bank));
      Condition.await("the shop to commit", () -> !isDoubtful() && balance(shop) == before + 14);
      assertEquals("TransactionAborted", code(end("CommitTransaction", next + "0")), "unknown in the present life");
    }
  }

  /** Returns a transaction whose client knows that it is committed, and the shop does not. */
  private String committedWithoutTheShop() {
    String transaction = transfer();
    toShop.lose(PeerMessage.Kind.COMMIT);
    toBank.lose(PeerMessage.Kind.STATUS);
    require(end("CommitTransaction", transaction));
    return transaction;
  }
}
