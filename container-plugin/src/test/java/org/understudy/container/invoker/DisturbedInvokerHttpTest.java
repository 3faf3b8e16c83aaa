package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.NoticesSilence;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.RollbackStrategy;
import org.understudy.test.strategy.Strategies;

/** Replication behind CXF's interceptors while executions are rolled back, clients leave and stability is out of reach. */
@ForEachStrategy
class DisturbedInvokerHttpTest {
  @TempDir Path directory;

  private static String append(String operation, String headers, String text) {
    return Soap.envelope(StampedNotebookService.KEY + headers, Soap.notebook(operation, text));
  }

  @Test
  void anExecutionThatIsRolledBackRunsAgainAndCountsOnce() throws Exception {
    long rollbacks = RollbackStrategy.rollbacks();
    try (ServiceCluster site =
        new ServiceCluster(
            directory, StampedNotebookService.class, 3, Map.of("understudy.strategy", Strategies.undoing()))) {
      List<CompletableFuture<Answer>> calls = new ArrayList<>();
      List<CompletableFuture<Answer>> copies = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String request = append("append", Soap.messageId("urn:disturbed:" + i), "x");
        calls.add(site.callLater(1 + i % 3, request));
        copies.add(site.callLater(1 + (i + 1) % 3, request));
      }
      Set<Integer> lengths = new TreeSet<>();
      for (int i = 0; i < calls.size(); i++) {
        Answer answer = calls.get(i).join();
        assertEquals(200, answer.status(), answer.text());
        assertEquals(answer.between("<return>", "</return>"), copies.get(i).join().between("<return>", "</return>"));
        lengths.add(answer.between("<return>", "</return>").length());
      }
      assertEquals(60, lengths.size());
      int undone = site.hasSeveralServers() ? 0 : 10;
      assertTrue(RollbackStrategy.rollbacks() - rollbacks >= undone, RollbackStrategy.rollbacks() + " rolled back");
    }
  }

  @Test
  void theReplyOfAClientThatLeftIsThereForItsRetry() throws Exception {
    NotebookService.endSlowRuns();
    try (ServiceCluster site = ServiceCluster.shared(StampedNotebookService.class, 3, Map.of())) {
      String request = append("appendSlowly", Soap.header(site.openSession(), 1, 1), "s");
      byte[] body = request.getBytes(StandardCharsets.UTF_8);
      int before = NotebookService.EXECUTIONS.get();
      URI uri = site.uri(site.primary(), site.service());
      try (Socket client = new Socket(uri.getHost(), uri.getPort())) {
        String head =
            "POST " + uri.getPath() + " HTTP/1.1\r\nHost: " + uri.getHost() + "\r\nContent-Type: text/xml; charset=UTF-8\r\n"
                + "Content-Length: " + body.length + "\r\n\r\n";
        client.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
        client.getOutputStream().write(body);
        client.getOutputStream().flush();
        Condition.await("the execution begins", NotebookService.BEGUN::tryAcquire);
      }
      NotebookService.GO.release();
      Answer retry = site.call(site.primary(), request);
      assertEquals(200, retry.status(), retry.text());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  @NoticesSilence(because = "a replica without a majority loses its authority")
  void aRequestThatDoesNotBecomeStableIsRefusedThroughTheHandlerAndAnsweredLater() throws Exception {
    try (ServiceCluster site =
        new ServiceCluster(
            directory, StampedNotebookService.class, 3, Map.of("understudy.request.deadline.ms", "1500"))) {
      int primary = site.primary();
      String request = append("append", Soap.messageId("urn:unstable:1"), "u");
      String stub = append("append", Soap.header(site.openSession(), 1, 1), "v");
      int before = NotebookService.EXECUTIONS.get();
      for (int replica = 1; replica <= 3; replica++) {
        if (replica != primary) {
          site.stop(replica);
        }
      }
      for (String one : new String[] {request, stub}) {
        Answer unstable = site.call(primary, one);
        assertEquals(500, unstable.status(), unstable.text());
        assertTrue(unstable.text().contains("ReplicationFault"), unstable.text());
      }
      for (int replica = 1; replica <= 3; replica++) {
        if (replica != primary) {
          site.start(replica);
        }
      }
      for (String one : new String[] {request, stub}) {
        Condition.await("an answer", () -> site.call(site.primary(), one).status() == 200);
        assertTrue(site.call(site.primary(), one).text().contains(">replayed<"));
      }
      assertEquals(2, site.call(site.primary(), append("text", "", null)).between("<return>", "</return>").length());
      assertTrue(NotebookService.EXECUTIONS.get() - before >= 2);
    }
  }
}
