package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.PolicyNotebookService;
import org.understudy.container.service.TokenNotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A service that authenticates messages by WS-Security's UsernameToken, at three replicas. */
@ForEachStrategy
class UsernameTokenHttpTest {
  private static ServiceCluster open() throws Exception {
    return ServiceCluster.shared(TokenNotebookService.class, 3, Map.of());
  }

  private static String call(String headers, String text) {
    return Soap.envelope(headers, Soap.notebook("append", text));
  }

  private static String of(String user) {
    return TokenNotebookService.token(user, user + user);
  }

  private static void assertDuplicateIsAnsweredOnlyForTheSamePrincipal(ServiceCluster site) throws Exception {
    String identity = Soap.header(site.openSession(), 1, 1);
    int before = NotebookService.EXECUTIONS.get();
    Answer first = site.call(site.primary(), call(of("alice") + identity, "secret"));
    assertEquals(200, first.status(), first.text());
    Answer again = site.call(site.primary(), call(of("alice") + identity, "secret"));
    assertEquals("replayed", again.between("<ur:Status>", "</ur:Status>"));
    for (String other : new String[] {of("bob"), TokenNotebookService.token("alice", "guess"), ""}) {
      Answer answer = site.call(site.primary(), call(other + identity, "secret"));
      assertEquals(500, answer.status(), answer.text());
      assertFalse(answer.text().contains("secret"), answer.text());
    }
    site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
  }

  @Test
  void aDuplicateIsAnsweredOnlyForTheSamePrincipal() throws Exception {
    try (ServiceCluster site = open()) {
      assertDuplicateIsAnsweredOnlyForTheSamePrincipal(site);
    }
  }

  @Test
  void aMessageIdOfAnotherPrincipalIsAnotherRequest() throws Exception {
    try (ServiceCluster site = open()) {
      String id = Soap.messageId("urn:token:1");
      int before = NotebookService.EXECUTIONS.get();
      Answer alice = site.call(site.primary(), call(of("alice") + id, "m"));
      Answer bob = site.call(site.primary(), call(of("bob") + id, "m"));
      assertEquals(200, alice.status(), alice.text());
      assertEquals(200, bob.status(), bob.text());
      site.assertRuns(2, NotebookService.EXECUTIONS.get() - before);
      for (int replica = 1; replica <= 3; replica++) {
        Answer repeated = site.call(replica, call(of("alice") + id, "m"));
        assertEquals(alice.between("<return>", "</return>"), repeated.between("<return>", "</return>"));
      }
      site.assertRuns(2, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void standardOperationsDoNotBypassTheAuthentication() throws Exception {
    try (ServiceCluster site = open()) {
      String body =
          "<p:GetResourcePropertyDocument xmlns:p=\"http://docs.oasis-open.org/wsrf/rp-2\"/>";
      Answer answer = site.call(site.primary(), Soap.envelope("", body));
      assertEquals(500, answer.status(), answer.text());
      String wsdl = wsdl(site);
      assertTrue(wsdl.contains("append"), wsdl);
      assertFalse(wsdl.contains("GetResourceProperty"), wsdl);
    }
  }

  @Test
  void aPolicyOfTheContractIsEnforcedForDuplicatesToo() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(PolicyNotebookService.class, 3, Map.of())) {
      assertDuplicateIsAnsweredOnlyForTheSamePrincipal(site);
    }
  }

  @Test
  void theConfiguredPlaceHasPriority() throws Exception {
    try (ServiceCluster site =
        ServiceCluster.shared(TokenNotebookService.class, 1, Map.of("understudy.place", "before"))) {
      String wsdl = wsdl(site);
      assertTrue(wsdl.contains("GetResourceProperty"), wsdl);
    }
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 1, Map.of("understudy.place", "after"))) {
      assertFalse(wsdl(site).contains("GetResourceProperty"));
      String identity = Soap.header(site.openSession(), 1, 1);
      assertEquals("executed", site.call(1, call(identity, "x")).between("<ur:Status>", "</ur:Status>"));
      assertEquals("replayed", site.call(1, call(identity, "x")).between("<ur:Status>", "</ur:Status>"));
    }
  }

  private static String wsdl(ServiceCluster site) throws IOException {
    try (InputStream in = site.uri(site.primary(), site.service() + "?wsdl").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
