package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.test.cluster.Answer;

/** Lets the deadline of requests pass, without a clock of the test's own. */
final class Deadlines {
  private Deadlines() {}

  /** Returns when a request that arrived at the backup after this call began has reached its deadline there. */
  static void awaitOne(ServiceCluster site) {
    String tooNew = Soap.header("<VersionHandle>1." + (1L << 40) + "</VersionHandle>");
    Answer answer = site.call(site.backup(), Soap.envelope(tooNew, Soap.notebook("text", null)));
    assertEquals("StillPending", answer.between("<ur:Code>", "</ur:Code>"), answer.text());
  }
}
