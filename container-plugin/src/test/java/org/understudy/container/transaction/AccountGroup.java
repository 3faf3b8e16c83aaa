package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.apache.catalina.LifecycleException;
import org.apache.cxf.jaxws.EndpointImpl;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.PeerRelay;
import org.understudy.test.cluster.TestCluster;

/** A group with one account, whose transactions other such groups take part in. */
final class AccountGroup implements AutoCloseable {
  private static final String PATH = "/soap/a";
  private static final String TYPE = "text/xml; charset=UTF-8";

  private static final String SECRET = "a secret of two groups";

  private final AtomicInteger nonces = new AtomicInteger();
  private final String name;
  private final int replicas;
  private final TestCluster cluster;

  /**
   * Starts a group and waits until every replica is ready.
   *
   * @param replicas one has the strategy {@code none}
   * @param peers the other groups with their addresses
   * @param different settings beyond those of all such groups
   */
  AccountGroup(Path directory, String name, int replicas, String peers, Map<String, String> different) throws Exception {
    this.name = name;
    this.replicas = replicas;
    Map<String, String> settings = new HashMap<>();
    settings.put("understudy.transaction.peers", peers);
    settings.put("understudy.endpoints", "*");
    settings.put("understudy.group", name);
    settings.put("understudy.execution.ms", "2000");
    // One replica without replication begins empty whenever it starts.
    settings.put("understudy.restart", replicas == 1 ? "" : "empty");
    settings.put("understudy.strategy", replicas == 1 ? "none" : "primary-backup");
    settings.put("understudy.transaction.secret", SECRET);
    settings.put("understudy.transaction.lifetime.ms", "600000");
    settings.putAll(different);
    cluster =
        new TestCluster(
            Files.createDirectory(directory.resolve(name)), new OwnServlet(bus -> new EndpointImpl(bus, new Account()).publish("/a")),
            replicas, settings);
  }

  TestCluster cluster() {
    return cluster;
  }

  /** Sends the messages to this group on. */
  void receiveFrom(PeerRelay relay) {
    relay.to(message -> cluster.post(cluster.primary(), PATH, message, TYPE));
  }

  // ---- requests

  private Answer post(String header, String body) {
    return cluster.post(cluster.primary(), PATH, envelope(header, body).getBytes(StandardCharsets.UTF_8), TYPE);
  }

  /** The header of a call inside a transaction that this group coordinates. */
  String in(String transaction) {
    return header("<Transaction><Id>" + transaction + "</Id><Coordinator>" + name + "</Coordinator></Transaction>");
  }

  Answer deposit(String header, int amount) {
    return post(header, "<n:deposit xmlns:n=\"urn:account\"><amount>" + amount + "</amount></n:deposit>");
  }

  static void require(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
  }

  /** Requires an answer. */
  int balance() {
    return balance("");
  }

  int balance(String header) {
    Answer answer = post(header, "<n:balance xmlns:n=\"urn:account\"/>");
    require(answer);
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  String begin() {
    Answer begun = post("", "<BeginTransaction xmlns=\"urn:understudy:replication:1\"/>");
    require(begun);
    return begun.between("<ur:Transaction>", "</ur:Transaction>");
  }

  /** Begins a transaction here with a deposit of 5 at this group and one of 7 at the other. */
  String beginDeposits(AccountGroup other) {
    String transaction = begin();
    require(deposit(in(transaction), 5));
    require(other.deposit(in(transaction), 7));
    return transaction;
  }

  /** Ends a transaction that was begun here, without an id of the request. */
  Answer end(String operation, String transaction) {
    return post(
        "", "<" + operation + " xmlns=\"urn:understudy:replication:1\"><Transaction>" + transaction + "</Transaction></" + operation + ">");
  }

  /** The code of a failure; the whole answer if it is none. */
  static String code(Answer answer) {
    return answer.status() == 200 ? answer.text() : answer.between("<ur:Code>", "</ur:Code>");
  }

  // ---- messages

  /** Sends this group a message of another one about its part in a transaction, and returns the answer. */
  String ask(PeerMessage.Kind kind, String from, String transaction, String part) {
    byte[] secret = SECRET.getBytes(StandardCharsets.UTF_8);
    PeerMessage message = new PeerMessage(kind, "nonce" + nonces.incrementAndGet(), name, from, transaction, part);
    Answer answer = cluster.post(cluster.primary(), PATH, message.envelope(secret), TYPE);
    require(answer);
    return message.answerIn(answer.text().getBytes(StandardCharsets.UTF_8), secret);
  }

  // ---- the operator

  /** Calls an operation of the primary's bean, as {@code scripts/transactions} does. */
  String control(String operation, String... parameters) {
    String[] types = Stream.of(parameters).map(one -> String.class.getName()).toArray(String[]::new);
    try {
      String group = ObjectName.quote(name);
      ObjectName bean = new ObjectName("org.understudy:type=Transactions,group=" + group + ",replica=" + cluster.primary());
      return (String) ManagementFactory.getPlatformMBeanServer().invoke(bean, operation, parameters, types);
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether one transaction is in doubt at the primary, as its health page shows. */
  boolean isDoubtful() {
    return cluster.health(cluster.primary(), "ready").body().contains("\"inDoubtTransactions\":1");
  }

  // ---- faults

  void stopAll() throws Exception {
    for (int number = 1; number <= replicas; number++) {
      cluster.stop(number);
    }
  }

  /** Starts what {@link #stopAll} has stopped, without memory. */
  void startAll() throws Exception {
    for (int number = 1; number <= replicas; number++) {
      cluster.start(number);
    }
    for (int number = 1; number <= replicas; number++) {
      cluster.awaitReady(number);
    }
  }

  @Override
  public void close() throws LifecycleException {
    cluster.close();
  }
}
