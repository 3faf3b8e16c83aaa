package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;

/** A service method that does not return keeps its resource, but neither its client nor those behind it. */
class StuckExecutionHttpTest {
  @TempDir private Path directory;

  private static String code(Answer answer) {
    return answer.between("<ur:Code>", "</ur:Code>") + " " + answer.between("<ur:Executed>", "</ur:Executed>");
  }

  @Test
  void itsClientIsAnsweredAsPendingAndThoseBehindItAreRefused() throws Exception {
    NotebookService.endSlowRuns();
    Map<String, String> settings =
        Map.of("understudy.execution.ms", "500", "understudy.request.deadline.ms", "2000");
    try (LogRecorder log = LogRecorder.of(ExecutionWatch.class);
        ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 1, settings)) {
      int before = NotebookService.EXECUTIONS.get();
      String session = site.openSession();
      String slowly = Soap.notebook("appendSlowly", "a");
      CompletableFuture<Answer> stuck = site.callLater(1, Soap.envelope(Soap.header(session, 1, 1), slowly));
      NotebookService.BEGUN.acquireUninterruptibly();
      try {
        CompletableFuture<Answer> behind = site.callLater(1, Soap.envelope("", Soap.notebook("append", "b")));
        assertEquals("StillPending pending", code(stuck.join()));
        assertTrue(stuck.join().text().contains(" has not finished. Retry with the same request id."), stuck.join().text());
        assertEquals("Overloaded no", code(behind.join()));
        assertEquals("Overloaded no", code(site.call(1, Soap.envelope("", Soap.notebook("append", "c")))));
      } finally {
        NotebookService.GO.release();
      }
      Answer[] again = new Answer[1];
      int[] attempt = {1};
      Condition.await(() -> {
        again[0] = site.call(1, Soap.envelope(Soap.header(session, 1, ++attempt[0]), slowly));
        return again[0].status() == 200;
      });
      assertEquals("a", again[0].between("<return>", "</return>"));
      assertEquals(1, NotebookService.EXECUTIONS.get() - before);
      // The result is stored before the resource is free.
      Condition.await(() -> {
        again[0] = site.call(1, Soap.envelope("", Soap.notebook("append", "d")));
        return again[0].status() == 200;
      });
      assertEquals("ad", again[0].between("<return>", "</return>"));
      List<String> lines = log.lines();
      assertEquals(1, lines.size(), lines.toString());
      assertTrue(lines.get(0).contains("appendSlowly on resource service"), lines.get(0));
      assertTrue(lines.get(0).contains("in the thread http"), lines.get(0));
    }
  }
}
