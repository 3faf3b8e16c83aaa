package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.RollbackStrategy;
import org.understudy.wsrf.notification.Consumer;

/** Three replicas whose strategy rolls back two executions in ten and has them run again: nobody notices. */
class RolledBackExecutionHttpTest {
  private static final String WSNT = "http://docs.oasis-open.org/wsn/b-2";
  private static final String LEVEL = "<w:TopicExpression Dialect='http://docs.oasis-open.org/wsn/t-1/TopicExpression/"
      + "Concrete' xmlns:l='urn:lamps'>l:Level</w:TopicExpression>";
  private static final String TERMINATION = "<w:TopicExpression Dialect='http://docs.oasis-open.org/wsn/t-1/"
      + "TopicExpression/Concrete' xmlns:t='http://docs.oasis-open.org/wsrf/rl-2'>t:ResourceTermination</w:TopicExpression>";

  /** So few resources that those of rolled back runs would leave no room for the others. */
  private static final Map<String, String> SETTINGS =
      Map.of(
          "understudy.strategy", RollbackStrategy.NAME,
          "understudy.resources", "40",
          "understudy.caller.share", "100");

  @TempDir Path directory;
  private ServiceCluster site;
  private Consumer consumer;
  private long rollbacks;

  @BeforeEach
  void open() throws Exception {
    site = new ServiceCluster(directory, LampService.class, 3, SETTINGS);
    consumer = new Consumer();
    rollbacks = RollbackStrategy.rollbacks();
  }

  @AfterEach
  void close() throws Exception {
    consumer.close();
    site.close();
  }

  private long rolledBack() {
    return RollbackStrategy.rollbacks() - rollbacks;
  }

  private void subscribe(String id, String topic) {
    Answer answer = Wsrf.lamp(
        site, site.primary(), id,
        "<w:Subscribe xmlns:w='" + WSNT + "'><w:ConsumerReference><a:Address "
            + "xmlns:a='http://www.w3.org/2005/08/addressing'>" + consumer.address()
            + "</a:Address></w:ConsumerReference><w:Filter>" + topic + "</w:Filter></w:Subscribe>");
    assertEquals(200, answer.status(), answer.text());
  }

  private CompletableFuture<Answer> brighten(int replica, String id, String messageId) {
    String body = "<l:brighten xmlns:l='urn:lamps'><by>1</by></l:brighten>";
    return site.postLater(
        replica, "/services/LampService/" + id,
        Soap.envelope(Soap.messageId(messageId), body).getBytes(StandardCharsets.UTF_8), "text/xml; charset=UTF-8");
  }

  private static int level(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    return Integer.parseInt(answer.between("<return>", "</return>"));
  }

  @Test
  void everyCallCountsAndIsNotifiedOnceInOrder() {
    String id = Wsrf.create(site);
    subscribe(id, LEVEL);
    int primary = site.primary();
    for (int i = 1; i <= 60; i++) {
      assertEquals(i, level(brighten(primary, id, "urn:one:" + i).join()));
    }
    List<Integer> told = IntStream.rangeClosed(1, 60).boxed().toList();
    Condition.await(() -> consumer.levels().size() >= told.size());
    assertEquals(told, consumer.levels());
    // The answers that were given, not those of runs that came to nothing.
    for (int i = 1; i <= 60; i++) {
      assertEquals(i, level(brighten(primary, id, "urn:one:" + i).join()), "replayed");
    }
    assertTrue(rolledBack() >= 10, rolledBack() + " rolled back");
  }

  @Test
  void concurrentCallsAndDuplicatesCountOnce() {
    String id = Wsrf.create(site);
    List<CompletableFuture<Answer>> calls = new ArrayList<>();
    List<CompletableFuture<Answer>> copies = new ArrayList<>();
    for (int i = 0; i < 80; i++) {
      calls.add(brighten(1 + i % 3, id, "urn:many:" + i));
      copies.add(brighten(1 + (i + 1) % 3, id, "urn:many:" + i));
    }
    Set<Integer> levels = new TreeSet<>();
    for (int i = 0; i < calls.size(); i++) {
      int level = level(calls.get(i).join());
      assertEquals(level, level(copies.get(i).join()));
      levels.add(level);
    }
    assertEquals(new TreeSet<>(IntStream.rangeClosed(1, 80).boxed().toList()), levels);
    assertTrue(rolledBack() >= 10, rolledBack() + " rolled back");
  }

  @Test
  void resourcesOfRolledBackRunsDoNotExist() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      ids.add(Wsrf.create(site));
    }
    assertEquals(40, new HashSet<>(ids).size());
    for (String id : ids) {
      assertEquals(1, level(brighten(site.primary(), id, "urn:light:" + id).join()));
      subscribe(id, TERMINATION);
    }
    for (String id : ids.subList(0, 10)) {
      assertEquals(200, Wsrf.lamp(site, site.primary(), id, Wsrf.rl("Destroy", "")).status());
      assertEquals(500, Wsrf.lamp(site, site.primary(), id, Wsrf.rl("Destroy", "")).status());
    }
    for (String id : ids.subList(10, 20)) {
      String soon = "<rl:RequestedLifetimeDuration>PT0.2S</rl:RequestedLifetimeDuration>";
      assertEquals(200, Wsrf.lamp(site, site.primary(), id, Wsrf.rl("SetTerminationTime", soon)).status());
    }
    List<String> left = ids.subList(20, 40);
    Condition.await("the end of ten lifetimes", () -> ids.stream().filter(this::isThere).toList().equals(left));
    Condition.await(() -> terminations().size() >= 20);
    assertEquals(20, terminations().size());
    assertEquals(new HashSet<>(ids.subList(0, 20)), new HashSet<>(terminations()));
    site.stop(site.primary());
    assertEquals(left, ids.stream().filter(this::isThere).toList());
    for (String id : left) {
      assertEquals(2, level(brighten(site.primary(), id, "urn:later:" + id).join()));
    }
    assertTrue(rolledBack() >= 20, rolledBack() + " rolled back");
  }

  private boolean isThere(String id) {
    return Wsrf.lamp(site, site.primary(), id, Wsrf.rp("GetResourceProperty", "l:Level")).status() == 200;
  }

  /** Of whose end the consumer has heard, in order. */
  private List<String> terminations() {
    List<String> ended = new ArrayList<>();
    Set<String> messages = new HashSet<>();
    for (String heard : consumer.heard()) {
      Answer text = new Answer(200, heard.getBytes(StandardCharsets.UTF_8), "");
      if (heard.contains("TerminationNotification") && messages.add(text.between("MessageID>", "<"))) {
        ended.add(heard.replaceAll("(?s).*LampService/([0-9a-f]+).*", "$1"));
      }
    }
    return ended;
  }
}
