package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** Linearizable reads that a round to a majority confirms. */
@ForEachStrategy
class ConfirmedReadsTest {
  private static final String LINEARIZABLE = header("<ReadLevel>linearizable</ReadLevel>");

  @TempDir Path directory;

  @Test
  void aReadSeesWhatWasAcknowledgedBefore() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, NotebookService.class, 3, Map.of("understudy.read.confirm", "always"))) {
      StringBuilder expected = new StringBuilder();
      for (int i = 0; i < 5; i++) {
        assertEquals(200, site.call(site.primary(), envelope("", notebook("append", "x"))).status());
        expected.append('x');
        Answer answer = site.call(site.primary(), envelope(LINEARIZABLE, notebook("text", null)));
        assertEquals(200, answer.status(), answer.text());
        assertTrue(answer.text().contains(">" + expected + "<"), answer.text());
      }
    }
  }
}
