package org.understudy.container.outgoing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;
import org.understudy.test.strategy.RollbackStrategy;

/** A replicated service calls a plain one through its outbox. */
@ForEachStrategy
class OutgoingHttpTest {
  private static final Map<String, String> SETTINGS =
      Map.of("understudy.outgoing.hosts", "127.0.0.1", "understudy.outgoing.attempts", "3", "understudy.outgoing.bytes", "8192",
          "understudy.outgoing.reply.bytes", "4096");

  @TempDir Path directory;
  private Supplier supplier;
  private ServiceCluster site;

  @BeforeEach
  void open() throws Exception {
    ShopService.REFUSALS.set(0);
    supplier = new Supplier();
  }

  @AfterEach
  void close() throws Exception {
    if (site != null) {
      site.close();
    }
    supplier.close();
  }

  private void start(Map<String, String> more) throws Exception {
    Map<String, String> settings = new HashMap<>(SETTINGS);
    settings.putAll(more);
    site = new ServiceCluster(directory, ShopService.class, 3, settings);
  }

  private Answer call(int replica, String operation, String item, String messageId) {
    String body =
        "<s:" + operation + " xmlns:s=\"urn:shop\"><item>" + item + "</item><address>" + supplier.address() + "</address></s:"
            + operation + ">";
    return site.call(replica, Soap.envelope(messageId == null ? "" : Soap.messageId(messageId), body));
  }

  private String order(String item) {
    Answer answer = call(site.nextServer(), "order", item, "urn:client:" + item.substring(0, Math.min(20, item.length())));
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private String refusal(String operation, String item) {
    Answer answer = call(site.nextServer(), operation, item, null);
    assertEquals(200, answer.status(), answer.text());
    return answer.between("<return>", "</return>");
  }

  private List<String> notes() {
    Answer answer = site.call(site.nextServer(), Soap.envelope("", "<s:notes xmlns:s=\"urn:shop\"/>"));
    return answer.status() == 200 && answer.text().contains("<return>")
        ? answer.between("<return>", "</return>").lines().toList()
        : List.of();
  }

  private void awaitNotes(List<String> expected) {
    Condition.await("the notes " + expected, () -> notes().containsAll(expected));
  }

  private long meter(String name) {
    String health = site.health(site.primary(), "ready").body();
    String value = health.replaceAll("(?s).*\"" + name + "\":(\\d+).*", "$1");
    return Long.parseLong(value);
  }

  @Test
  void aCallIsSentOnceItsUpdateIsStableAndItsReplyIsALaterUpdate() throws Exception {
    start(Map.of());
    String id = order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    assertEquals(List.of("ordered tea", "RESULT tea: tea"), notes());
    assertEquals(Map.of("tea", List.of(id)), supplier.idsByItem());
    assertEquals(1, supplier.orders().size());
    String envelope = supplier.orders().get(0).envelope();
    assertTrue(envelope.contains(">urn:order</wsa:Action>") && envelope.contains(">" + supplier.address() + "</wsa:To>"), envelope);
  }

  @Test
  void aRepeatedRequestCallsOnce() throws Exception {
    start(Map.of());
    order("tea");
    order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    order("milk");
    awaitNotes(List.of("RESULT milk: milk"));
    assertEquals(List.of("tea", "milk"), supplier.orders().stream().map(Supplier.Order::item).toList());
  }

  @Test
  void faultsAndEmptyAnswersAreReplies() throws Exception {
    start(Map.of());
    supplier.answer(
        order -> order.item().equals("tea")
            ? new Supplier.Response(
                500, Soap.envelope("", "<e:Fault><faultcode>e:Server</faultcode><faultstring>sold out</faultstring></e:Fault>"))
            : new Supplier.Response(202, ""));
    order("tea");
    order("milk");
    awaitNotes(List.of("RESULT milk: nothing"));
    assertTrue(notes().stream().anyMatch(note -> note.startsWith("FAULT tea: ") && note.contains("sold out")), notes().toString());
    assertEquals(2, supplier.orders().size());
  }

  @Test
  @NoticesSilence(because = "a replica that is left out twice waits for a multiple of the suspicion time")
  void callsContinueInOrderAcrossFailovers() throws Exception {
    start(Map.of());
    List<String> items = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < 4; round++) {
      // The first call of a round is on its way, and unanswered, when the primary ends.
      CountDownLatch arrived = new CountDownLatch(1);
      CountDownLatch ended = new CountDownLatch(1);
      AtomicBoolean first = new AtomicBoolean(true);
      supplier.answer(order -> first.getAndSet(false) ? unanswered(arrived, ended) : Supplier.confirm(order));
      for (int i = 0; i < 5; i++) {
        String item = "item" + round + "-" + i;
        items.add(item);
        expected.add("RESULT " + item + ": " + item);
        order(item);
      }
      Condition.await("an attempt", () -> arrived.getCount() == 0);
      int primary = site.primary();
      site.stop(primary);
      ended.countDown();
      awaitNotes(expected);
      site.start(primary);
      site.awaitReady(primary);
    }
    assertEquals(items, supplier.items());
    supplier.idsByItem().forEach((item, ids) -> assertEquals(1, ids.size(), item + " arrived under " + ids));
    assertEquals(expected, notes().stream().filter(note -> note.startsWith("RESULT")).toList());
    assertEquals(0, meter("outgoingWaiting"));
  }

  private static Supplier.Response unanswered(CountDownLatch arrived, CountDownLatch ended) {
    arrived.countDown();
    try {
      ended.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new Supplier.Response(0, "");
  }

  @Test
  void callsWaitForADestinationThatIsAway() throws Exception {
    start(Map.of());
    supplier.goAway();
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      order("item" + i);
      expected.add("RESULT item" + i + ": item" + i);
    }
    // More attempts than count for a dead letter.
    Condition.await("five failed attempts", () -> meter("outgoingFailed") >= 5);
    assertEquals(5, meter("outgoingWaiting"));
    supplier.comeBack();
    awaitNotes(expected);
    assertEquals(IntStream.range(0, 5).mapToObj(i -> "item" + i).toList(), supplier.items());
    assertEquals(0, meter("outgoingDeadLetters"));
  }

  @Test
  void failingCallBecomesADeadLetterAndDoesNotBlockOthers() throws Exception {
    start(Map.of());
    supplier.answer(
        order -> order.item().equals("poison") ? new Supplier.Response(500, "no SOAP at all") : Supplier.confirm(order));
    order("poison");
    order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    assertEquals(1, meter("outgoingDeadLetters"));
    assertEquals(3, supplier.orders().stream().filter(order -> order.item().equals("poison")).count());
    assertEquals(1, supplier.idsByItem().get("poison").size());
  }

  private String control(int replica, String operation, String... arguments) throws Exception {
    String name = "org.understudy:type=OutgoingCalls,group=" + ObjectName.quote("understudy") + ",replica=" + replica
        + ",service=" + ObjectName.quote("ShopService");
    String[] types = new String[arguments.length];
    Arrays.fill(types, String.class.getName());
    return (String)
        ManagementFactory.getPlatformMBeanServer().invoke(new ObjectName(name), operation, arguments, types);
  }

  @Test
  void anOperatorRetriesAndDropsDeadLetters() throws Exception {
    start(Map.of());
    supplier.answer(order -> new Supplier.Response(500, "no SOAP at all"));
    String tea = order("tea");
    String milk = order("milk");
    Condition.await("two dead letters", () -> meter("outgoingDeadLetters") == 2);
    int backup = site.backup();
    assertEquals(
        tea + " to " + supplier.address() + ", not answered, attempts 3: The last of 3 attempts failed: HTTP status 500 with a "
            + "body that is not a SOAP envelope: Unexpected character 'n' (code 110) in prolog; expected '<'",
        control(backup, "deadLetters").lines().findFirst().orElseThrow());
    boolean anywhere = site.hasSeveralServers();
    if (!anywhere) {
      assertTrue(
          assertThrows(RuntimeMBeanException.class, () -> control(backup, "retry", tea)).getCause().getMessage()
              .startsWith("Nothing was decided about the call " + tea));
    }
    supplier.answer(Supplier::confirm);
    assertEquals("The call " + tea + " is retried.", control(anywhere ? backup : site.primary(), "retry", tea));
    assertEquals("The call " + milk + " is dropped.", control(site.nextServer(), "drop", milk));
    awaitNotes(List.of("RESULT tea: tea", "DROPPED milk: nothing"));
    Condition.await("no dead letters", () -> meter("outgoingDeadLetters") == 0);
    assertEquals("There are no dead letters.\n", control(site.primary(), "deadLetters"));
    assertEquals(3, supplier.orders().stream().filter(order -> order.item().equals("milk")).count());
    assertEquals(List.of(tea), supplier.idsByItem().get("tea"));
    RuntimeMBeanException unknown =
        assertThrows(RuntimeMBeanException.class, () -> control(site.nextServer(), "drop", "urn:unknown"));
    assertEquals("There is no dead letter with the message id urn:unknown.", unknown.getCause().getMessage());
  }

  @Test
  void anAnswerThatIsTooLongOrNotSoapIsNotAskedForAgain() throws Exception {
    start(Map.of());
    supplier.answer(
        order -> switch (order.item()) {
          case "huge" -> new Supplier.Response(200, "<a>" + "x".repeat(1_000_000) + "</a>");
          case "page" -> new Supplier.Response(200, "<html>Welcome</html>");
          default -> Supplier.confirm(order);
        });
    order("huge");
    order("page");
    order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    assertEquals(List.of("huge", "page", "tea"), supplier.orders().stream().map(Supplier.Order::item).toList());
    assertEquals(2, meter("outgoingDeadLetters"));
  }

  @Test
  void refusedReplyIsRedeliveredWithoutACall() throws Exception {
    start(Map.of());
    ShopService.REFUSALS.set(3);
    order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    assertEquals(List.of("ordered tea", "RESULT tea: tea"), notes());
    assertEquals(1, supplier.orders().size());
    assertEquals(0, ShopService.REFUSALS.get());
  }

  @Test
  void aReplyAfterWhichTheStateCannotBeStoredBecomesADeadLetter() throws Exception {
    start(Map.of("understudy.resource.bytes", "4096"));
    String large = "x".repeat(2_500);
    String uncapturable = order("uncapturable");
    Condition.await("the dead letter of the state that cannot be captured", () -> meter("outgoingDeadLetters") == 1);
    String tooLarge = order(large);
    Condition.await("the dead letter of the state that is too large", () -> meter("outgoingDeadLetters") == 2);
    order("tea");
    awaitNotes(List.of("RESULT tea: tea"));
    // The state is as before the two replies, and no replica has halted.
    assertEquals(List.of("ordered uncapturable", "ordered " + large, "ordered tea", "RESULT tea: tea"), notes());
    for (int replica = 1; replica <= 3; replica++) {
      assertEquals(200, site.health(replica, "live").statusCode());
      site.awaitReady(replica);
    }
    assertEquals(List.of("uncapturable", large, "tea"), supplier.items());
    List<String> letters = control(site.primary(), "deadLetters").lines().toList();
    assertTrue(letters.get(0).startsWith(uncapturable) && letters.get(0).contains("could not be captured"), letters.get(0));
    assertTrue(letters.get(1).startsWith(tooLarge) && letters.get(1).contains("understudy.resource.bytes"), letters.get(1));
    // Neither a failover nor an operator's retry calls again.
    site.stop(site.primary());
    assertEquals("The call " + uncapturable + " is retried.", control(site.nextServer(), "retry", uncapturable));
    Condition.await("the dead letter after the retry", () -> meter("outgoingDeadLetters") == 2);
    assertEquals(3, supplier.orders().size());
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "the test has a strategy of its own")
  void rolledBackExecutionsSendNothing() throws Exception {
    start(Map.of("understudy.strategy", RollbackStrategy.NAME));
    long before = RollbackStrategy.rollbacks();
    List<String> expected = new ArrayList<>();
    Map<String, List<String>> ids = new LinkedHashMap<>();
    for (int i = 0; i < 30; i++) {
      ids.put("item" + i, List.of(order("item" + i)));
      expected.add("RESULT item" + i + ": item" + i);
    }
    awaitNotes(expected);
    assertEquals(expected, notes().stream().filter(note -> note.startsWith("RESULT")).toList());
    assertEquals(new ArrayList<>(ids.entrySet()), new ArrayList<>(supplier.idsByItem().entrySet()));
    assertEquals(30, supplier.orders().size());
    assertTrue(RollbackStrategy.rollbacks() - before >= 6, "rolled back");
  }

  @Test
  void tooMuchForOneDestinationIsRefused() throws Exception {
    start(Map.of());
    supplier.goAway();
    String item = "x".repeat(3_000);
    assertEquals(200, call(site.nextServer(), "order", item, "urn:client:1").status());
    assertEquals(200, call(site.nextServer(), "order", item, "urn:client:2").status());
    assertTrue(refusal("refused", item).contains("bytes wait for it already, and at most 8192 may (understudy.outgoing.bytes)"));
    assertEquals(2, notes().size());
  }

  @Test
  void noHostIsAllowedUnlessItIsListedAndAReadCallsNobody() throws Exception {
    start(Map.of("understudy.outgoing.hosts", "none"));
    String refused = refusal("refused", "tea");
    assertTrue(refused.endsWith(
        "its host is not in understudy.outgoing.hosts. Add the host on every replica if the service may call it."), refused);
    assertEquals("An operation marked @Read must not call other services.", refusal("refusedInRead", "tea"));
    assertTrue(refusal("refusedResource", "tea").startsWith("The service keeps its state in itself"));
    assertEquals(List.of(), supplier.orders());
    assertEquals(List.of(), notes());
  }
}
