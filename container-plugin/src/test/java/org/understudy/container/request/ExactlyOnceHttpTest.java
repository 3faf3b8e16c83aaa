package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.messageId;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.OnlyWith;

/** Duplicates, replays and redirects through the doors of three replicas. */
@ForEachStrategy
class ExactlyOnceHttpTest {
  @TempDir Path directory;
  private ServiceCluster site;
  private int primary;
  private int backup;

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void empty() throws Exception {
    site = ServiceCluster.shared(NotebookService.class, 3, Map.of());
    primary = site.primary();
    backup = site.backup();
    assertEquals(200, site.call(primary, envelope("", notebook("clear", null))).status());
    NotebookService.endSlowRuns();
  }

  private static String status(Answer answer) {
    return answer.between("<ur:Status>", "</ur:Status>");
  }

  /** The text, by an update: every replica has it then. */
  private String text() {
    return site.call(primary, envelope("", notebook("append", ""))).between("<return>", "</return>");
  }

  private static String code(Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    return answer.between("<ur:Code>", "</ur:Code>");
  }

  @Test
  void duplicateGetsTheSameBytesWithoutExecution() {
    String session = site.openSession();
    Answer first = site.call(primary, envelope(header(session, 1, 1), notebook("append", "a")));
    assertEquals("executed", status(first));
    // Another length of the headers must not look like another body.
    Answer second = site.call(primary, envelope(header(session, 1, 1000), notebook("append", "a")));
    assertEquals("replayed", status(second));
    assertArrayEquals(first.body().getBytes(StandardCharsets.UTF_8), second.body().getBytes(StandardCharsets.UTF_8));
    assertEquals(first.status(), second.status());
    site.assertRuns(1, NotebookService.EXECUTIONS.get());
  }

  @Test
  void faultsAreStoredAndReplayedLikeResults() {
    String session = site.openSession();
    for (String operation : new String[] {"refuse", "stumble"}) {
      long sequence = operation.length();
      Answer first = site.call(primary, envelope(header(session, sequence, 1), notebook(operation, "a")));
      Answer second = site.call(primary, envelope(header(session, sequence, 2), notebook(operation, "a")));
      assertEquals(500, first.status());
      assertEquals(500, second.status());
      assertEquals("executed", status(first));
      assertEquals("replayed", status(second));
      assertEquals(first.body(), second.body());
    }
    site.assertRuns(2, NotebookService.EXECUTIONS.get());
  }

  @Test
  void anotherBodyUnderTheSameNumberIsRefused() {
    String session = site.openSession();
    site.call(primary, envelope(header(session, 1, 1), notebook("append", "a")));
    assertEquals("DigestMismatch",
        code(site.call(primary, envelope(header(session, 1, 2), notebook("append", "b")))));
    site.assertRuns(1, NotebookService.EXECUTIONS.get());
  }

  @Test
  void duplicateWaitsForTheRunningExecution() {
    String session = site.openSession();
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    all.add(site.callLater(primary, envelope(header(session, 1, 1), notebook("appendSlowly", "a"))));
    NotebookService.BEGUN.acquireUninterruptibly();
    for (int attempt = 2; attempt < 40; attempt++) {
      all.add(site.callLater(primary, envelope(header(session, 1, attempt), notebook("appendSlowly", "a"))));
    }
    // A read of the same resource would wait for its lock; another session's refusal shows the door is not blocked.
    assertEquals("SessionExpired", code(site.call(primary, envelope(header("0".repeat(32), 1, 1), notebook("append", "x")))));
    NotebookService.GO.release(40);
    TreeSet<String> bodies = new TreeSet<>();
    for (CompletableFuture<Answer> one : all) {
      Answer answer = one.join();
      assertEquals(200, answer.status(), answer.text());
      bodies.add(answer.body());
    }
    assertEquals(1, bodies.size());
    site.assertRuns(1, NotebookService.EXECUTIONS.get());
    assertEquals("a", text());
  }

  @Test
  void aRepeatedMessageIdIsTheSameRequestAtAnyReplica() {
    String request = envelope(messageId("urn:uuid:1"), notebook("append", "a"));
    Answer first = site.call(backup, request);
    Answer second = site.call(backup, request);
    Answer third = site.call(primary, request);
    assertEquals("executed", status(first));
    assertEquals("replayed", status(second));
    assertEquals("replayed", status(third));
    assertEquals(first.body(), third.body());
    assertEquals("urn:uuid:1", third.between("<wsa:RelatesTo xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">", "</wsa:RelatesTo>"));
    site.assertRuns(1, NotebookService.EXECUTIONS.get());
    Answer other = site.call(primary, envelope(messageId("urn:uuid:&lt;2&gt;&quot;"), notebook("append", "a")));
    assertTrue(other.text().contains("urn:uuid:&lt;2&gt;"), other.text());
  }

  @Test
  void copiesAtEveryReplicaAtOnceAreOneRequest() {
    List<List<CompletableFuture<Answer>>> requests = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      String request = envelope(messageId("urn:uuid:copied:" + i), notebook("append", Integer.toString(i)));
      requests.add(IntStream.rangeClosed(1, 3).mapToObj(replica -> site.callLater(replica, request)).toList());
    }
    for (List<CompletableFuture<Answer>> copies : requests) {
      TreeSet<String> bodies = new TreeSet<>();
      for (CompletableFuture<Answer> copy : copies) {
        Answer answer = copy.join();
        assertEquals(200, answer.status(), answer.text());
        bodies.add(answer.body());
      }
      assertEquals(1, bodies.size(), bodies::toString);
    }
    String text = text();
    assertEquals("0123456789", text.chars().sorted().mapToObj(Character::toString).collect(Collectors.joining()), text);
  }

  @Test
  @OnlyWith(value = "primary-backup", because = "every member executes what it receives")
  void backupForwardsForPlainClientsAndRedirectsStubs() {
    Answer forwarded = site.call(backup, envelope("", notebook("append", "a")));
    assertEquals(200, forwarded.status(), forwarded.text());
    assertEquals("a", forwarded.between("<return>", "</return>"));

    String session = site.openSession();
    Answer pointed = site.call(backup, envelope(header(session, 1, 1), notebook("append", "b")));
    assertEquals("NotPrimary", code(pointed));
    assertEquals("no", pointed.between("<ur:Executed>", "</ur:Executed>"));
    String primaryUrl = site.uri(primary, site.service()).toString();
    assertTrue(pointed.between("<ur:Alternatives>", "</ur:Alternatives>")
        .startsWith("<ur:Replica id=\"" + primary + "\" role=\"primary\""
            + " serves=\"update session linearizable-read session-read local-read\">" + primaryUrl), pointed.text());

    site.assertRuns(1, NotebookService.EXECUTIONS.get());
  }

  @Test
  void manyForwardedAtOnceAllArrive() {
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      all.add(site.callLater(backup, envelope("", notebook("append", "x"))));
    }
    all.forEach(one -> assertEquals(200, one.join().status(), one.join().text()));
    site.assertRuns(200, NotebookService.EXECUTIONS.get());
    assertEquals("x".repeat(200), text());
  }

  @Test
  void aSessionReadAtABackupSeesWhatTheClientHasSeen() {
    String session = site.openSession();
    for (int i = 1; i <= 20; i++) {
      Answer written = site.call(primary, envelope(header(session, i, 1), notebook("append", "a")));
      String seen = written.between("<ur:VersionHandle>", "</ur:VersionHandle>");
      Answer read = site.call(backup, envelope(header("<VersionHandle>" + seen + "</VersionHandle>"), notebook("text", null)));
      assertEquals("read", status(read));
      assertEquals("a".repeat(i), read.between("<return>", "</return>"));
    }
  }

  @Test
  void parallelCallsAtOneResourceLoseNothing() {
    String session = site.openSession();
    List<CompletableFuture<Answer>> all = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      all.add(site.callLater(primary, envelope(header(session, i, 1), notebook("append", "x"))));
    }
    TreeSet<Integer> lengths = new TreeSet<>();
    all.forEach(one -> lengths.add(one.join().between("<return>", "</return>").length()));
    assertEquals(300, lengths.size());
    assertEquals(300, lengths.last());
  }

  @Test
  void largeAnswerIsCompleteFromAnyThread() {
    String text = "y".repeat(300_000);
    Answer answer = site.call(primary, envelope("", notebook("append", text)));
    assertEquals(text, answer.between("<return>", "</return>"));
  }

  @Test
  void aWebApplicationThatStopsLeavesNoThreadAndNoPoll() throws Exception {
    Set<Thread> others = threads(Set.of());
    try (ServiceCluster own = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.group", "own"))) {
      int stopped = own.backup();
      own.call(stopped, envelope("", notebook("append", "forwarded, so that it has threads")));
      String epoch = own.openSessionView();
      byte[] poll = envelope("", "<AwaitView xmlns=\"urn:understudy:replication:1\"><Epoch>" + epoch
          + "</Epoch><HoldSeconds>60</HoldSeconds></AwaitView>").getBytes(StandardCharsets.UTF_8);
      CompletableFuture<Answer> held = own.postLater(stopped, "/replication", poll, "text/xml");
      Condition.await(() -> own.health(stopped, "live").statusCode() == 200);
      int before = threads(others).size();
      own.stop(stopped);
      // One Tomcat of three has gone, and with it a third of everything that bears our name.
      Condition.await(() -> threads(others).size() <= before - 3);
      assertFalse(threads(others).stream().anyMatch(thread -> thread.getName().startsWith("understudy-forward")));
      held.handle((answer, failure) -> null).join();
    }
  }

  /** Threads of replicas, but for those of clusters that other tests share. */
  private static Set<Thread> threads(Set<Thread> others) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("understudy") && !others.contains(thread))
        .collect(Collectors.toSet());
  }

  @Test
  void theHealthPageIsOneLineForEveryRole() {
    for (int i = 1; i <= 3; i++) {
      assertEquals(200, site.health(i, "live").statusCode());
      assertEquals(200, site.health(i, "ready").statusCode());
      int replica = i;
      int writable = i == primary || site.hasSeveralServers() ? 200 : 503;
      // A machine that stops for longer than a lease has no writable replica for a moment.
      for (String name : List.of("primary", "writable")) {
        Condition.await(name + " at replica " + i, () -> site.health(replica, name).statusCode() == writable);
      }
      assertEquals(1, site.health(i, "primary").body().lines().count());
    }
  }
}
