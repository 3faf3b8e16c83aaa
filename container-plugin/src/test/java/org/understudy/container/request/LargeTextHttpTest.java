package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.cluster.Answer;

/** A large text is marshalled in pieces, and has the content that it would have otherwise. */
class LargeTextHttpTest {
  private static final String TEXT = "\u00e4\u20ac\ud83d\ude00&amp;&lt;";

  private static void appends(Class<?> service, String headers) throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(service, 3, Map.of())) {
      for (int repeated : new int[] {1, 60_000}) {
        String text = TEXT.repeat(repeated);
        assertEquals(200, site.call(site.primary(), Soap.envelope(headers, Soap.notebook("clear", null))).status());
        Answer answer = site.call(site.backup(), Soap.envelope(headers, Soap.notebook("append", text)));
        assertEquals(200, answer.status());
        assertEquals(text, answer.between("<return>", "</return>"));
      }
    }
  }

  @Test
  void beforeCxf() throws Exception {
    appends(NotebookService.class, "");
  }

  @Test
  void behindTheHandlersOfCxf() throws Exception {
    appends(StampedNotebookService.class, StampedNotebookService.KEY);
  }
}
