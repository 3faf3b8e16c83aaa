package org.understudy.container.outgoing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A replicated service calls another group through its outbox: exactly once. */
@ForEachStrategy
class OutgoingToGroupHttpTest {
  private static final Map<String, String> SETTINGS =
      Map.of("understudy.outgoing.hosts", "127.0.0.1", "understudy.outgoing.attempts", "50");
  private static final String UR = "urn:understudy:replication:1";
  private static final String SESSION = "0123456789abcdef0123456789abcde";

  @TempDir Path directory;
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    ShopService.REFUSALS.set(0);
    site = new ServiceCluster(Files.createDirectories(directory.resolve("shop")), ShopService.class, 3, SETTINGS);
  }

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  private String order(String item, String addresses) {
    String body = "<s:orderAtGroup xmlns:s=\"urn:shop\"><item>" + item + "</item><address>" + addresses
        + "</address></s:orderAtGroup>";
    Answer answer = site.call(site.nextServer(), Soap.envelope("", body));
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private List<String> notes() {
    Answer answer = site.call(site.nextServer(), Soap.envelope("", "<s:notes xmlns:s=\"urn:shop\"/>"));
    return answer.status() == 200 && answer.text().contains("<return>")
        ? answer.between("<return>", "</return>").lines().toList()
        : List.of();
  }

  private void awaitReplies(List<String> items) {
    Condition.await("replies to " + items, () -> replied().size() >= items.size());
    assertEquals(items, replied());
  }

  private List<String> replied() {
    return notes().stream().filter(note -> note.startsWith("RESULT ")).map(note -> note.split("[ :]")[1]).toList();
  }

  private long meter(String name) {
    return Long.parseLong(site.health(site.primary(), "ready").body().replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1"));
  }

  @Test
  void eachCallIsExecutedOnceInOrderWhilePrimariesOfBothGroupsEnd() throws Exception {
    Path notebook = Files.createDirectories(directory.resolve("notebook"));
    try (ServiceCluster other =
        new ServiceCluster(notebook, NotebookService.class, 3, Map.of("understudy.group", "other"))) {
      String addresses =
          IntStream.rangeClosed(1, 3).mapToObj(i -> other.uri(i, other.service()).toString()).collect(Collectors.joining(" "));
      List<String> items = new ArrayList<>();
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 10; i++) {
          String item = "[" + round + "." + i + "]";
          items.add(item);
          order(item, addresses);
        }
        ServiceCluster ends = round % 2 == 0 ? site : other;
        int primary = ends.primary();
        ends.stop(primary);
        awaitReplies(items);
        ends.start(primary);
        ends.awaitReady(primary);
      }
      String text = other.call(other.primary(), Soap.envelope("", Soap.notebook("text", null))).between("<return>", "</return>");
      assertEquals(String.join("", items), text);
      assertEquals(0, meter("outgoingDeadLetters"));
      assertEquals(0, meter("outgoingWaiting"));
    }
  }

  private static Supplier.Response fault(String code) {
    return new Supplier.Response(
        500,
        Soap.envelope(
            Soap.header("<Status>refused</Status>"),
            "<e:Fault><faultcode>e:Client</faultcode><faultstring>The session has ended.</faultstring><detail>"
                + "<u:ReplicationFault xmlns:u=\"" + UR + "\"><u:Code>" + code
                + "</u:Code><u:Executed>no</u:Executed></u:ReplicationFault></detail></e:Fault>"));
  }

  private static Supplier.Response session(int number) {
    return new Supplier.Response(
        200,
        Soap.envelope(
            "", "<u:OpenSessionResponse xmlns:u=\"" + UR + "\"><u:Session>" + SESSION + number
                + "</u:Session><u:LeaseSeconds>9</u:LeaseSeconds></u:OpenSessionResponse>"));
  }

  /** Session and sequence number of a call as it arrived; empty for another request. */
  private static String identity(Supplier.Order order) {
    return order.envelope().contains("OpenSession ")
        ? ""
        : order.envelope().replaceAll("(?s).*<ur:Session>.*(.)</ur:Session><ur:Sequence>(\\d+)</ur:Sequence>.*", "$1/$2");
  }

  private static String item(Supplier.Order order) {
    return order.envelope().replaceAll("(?s).*<text>(.*)</text>.*", "$1");
  }

  private static Supplier.Response done(Supplier.Order order) {
    return new Supplier.Response(
        200, Soap.envelope(Soap.header("<Status>executed</Status>"), "<d:done xmlns:d=\"urn:d\">" + item(order) + "</d:done>"));
  }

  @Test
  void aCallThatNobodyCanHaveExecutedIsSentInANewSession() throws Exception {
    try (Supplier group = new Supplier()) {
      int[] sessions = new int[1];
      group.answer(
          order -> identity(order).isEmpty()
              ? session(++sessions[0])
              : identity(order).startsWith("1/2") ? fault("SessionExpired") : done(order));
      order("tea", group.address());
      awaitReplies(List.of("tea"));
      order("milk", group.address());
      awaitReplies(List.of("tea", "milk"));
      assertEquals(
          List.of("1/1", "1/2", "2/1"),
          group.orders().stream().map(OutgoingToGroupHttpTest::identity).filter(id -> !id.isEmpty()).toList());
      assertEquals(0, meter("outgoingDeadLetters"));
    }
  }

  @Test
  void aCallThatMayHaveBeenExecutedInASessionThatHasEndedIsADeadLetterOfUnknownOutcome() throws Exception {
    try (Supplier group = new Supplier()) {
      int[] sessions = new int[1];
      int[] attempts = new int[1];
      group.answer(
          order -> {
            if (identity(order).isEmpty()) {
              return session(++sessions[0]);
            }
            if (!item(order).equals("milk")) {
              return done(order);
            }
            return attempts[0]++ == 0 ? new Supplier.Response(0, "") : fault("SessionExpired");
          });
      order("tea", group.address());
      order("milk", group.address());
      order("bread", group.address());
      awaitReplies(List.of("tea", "bread"));
      assertEquals(1, meter("outgoingDeadLetters"));
      String name = "org.understudy:type=OutgoingCalls,group=" + ObjectName.quote("understudy") + ",replica=" + site.primary()
          + ",service=" + ObjectName.quote("ShopService");
      Object letters =
          ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(name), "deadLetters", new Object[0], new String[0]);
      assertTrue(letters.toString().contains(": The outcome is unknown: the session"), letters.toString());
      assertEquals(
          List.of("1/1", "1/2", "1/2", "2/1"),
          group.orders().stream().map(OutgoingToGroupHttpTest::identity).filter(id -> !id.isEmpty()).toList());
    }
  }

  @Test
  void nextReplicaContinuesTheSessionOfItsPredecessor() throws Exception {
    try (Supplier group = new Supplier()) {
      boolean[] silent = new boolean[1];
      group.answer(
          order -> identity(order).isEmpty() ? session(1) : silent[0] ? new Supplier.Response(0, "") : done(order));
      order("tea", group.address());
      awaitReplies(List.of("tea"));
      silent[0] = true;
      order("milk", group.address());
      Condition.await("an attempt", () -> group.orders().stream().anyMatch(order -> identity(order).equals("1/2")));
      site.stop(site.primary());
      silent[0] = false;
      awaitReplies(List.of("tea", "milk"));
      List<String> identities =
          group.orders().stream().map(OutgoingToGroupHttpTest::identity).filter(id -> !id.isEmpty()).distinct().toList();
      assertEquals(List.of("1/1", "1/2"), identities);
      assertTrue(
          group.orders().stream().filter(order -> identity(order).equals("1/2")).map(Supplier.Order::id).distinct().count() == 1);
    }
  }
}
