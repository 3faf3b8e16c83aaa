package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.BrittleNotebookService;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** What cannot succeed is answered once and for all, and not executed again and again. */
@ForEachStrategy
class TerminalFailureHttpTest {
  @TempDir private Path directory;

  @Test
  void aStateThatCannotBeCapturedIsTheOutcomeOfTheRequest() throws Exception {
    Map<String, String> settings = Map.of("understudy.request.deadline.ms", "2000");
    try (ServiceCluster site = new ServiceCluster(directory, BrittleNotebookService.class, 3, settings)) {
      int before = NotebookService.EXECUTIONS.get();
      Answer answer = site.call(site.backup(), Soap.envelope("", Soap.notebook("append", "a!")));
      assertTerminal(answer);
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);

      String session = site.openSession();
      assertTerminal(
          site.call(site.primary(), Soap.envelope(Soap.header(session, 1, 1), Soap.notebook("append", "b!"))));
      site.stop(site.primary());
      assertTerminal(
          site.call(site.primary(), Soap.envelope(Soap.header(session, 1, 2), Soap.notebook("append", "b!"))));
      site.assertRuns(2, NotebookService.EXECUTIONS.get() - before);

      Answer text = site.call(site.primary(), Soap.envelope("", Soap.notebook("append", "c")));
      assertEquals("c", text.between("<return>", "</return>"));
    }
  }

  private static void assertTerminal(Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    assertEquals("ExecutionFailed", answer.between("<ur:Code>", "</ur:Code>"));
    assertEquals("no", answer.between("<ur:Executed>", "</ur:Executed>"));
    assertTrue(answer.text().contains("cannot be captured"), answer.text());
    assertFalse(answer.text().contains("secret"), answer.text());
  }
}
