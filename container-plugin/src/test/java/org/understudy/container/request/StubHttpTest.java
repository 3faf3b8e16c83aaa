package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.client.FaultTolerance;
import org.understudy.client.FaultTolerant;
import org.understudy.client.FaultTolerantGroup;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.NotebookService;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.api.VersionHandles;
import org.understudy.test.cluster.Answer;

/** The client stub against replicas in Tomcat. */
class StubHttpTest {

  private static List<URI> addresses(ServiceCluster site) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, site.service())).toList();
  }

  @Test
  void aReadAtABackupWaitsForWhatAnotherClientHasSeen() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of());
        FaultTolerantGroup writer = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)));
        FaultTolerantGroup reader = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      Notebook notebook = writer.client(Notebook.class, URI.create(addresses(site).get(0) + "?wsdl").toURL());
      notebook.clear();
      for (int i = 1; i <= 20; i++) {
        notebook.append("a");
        reader.mergeVersions(VersionHandles.parse(writer.versions().toString()));
        VersionHandle next = reader.versions().ofGroup();
        VersionHandle handle = i % 2 == 0 ? next : VersionHandle.ofGroup(next.epoch(), next.position() + 1);
        CompletableFuture<Answer> read = site.callLater(site.backup(), Soap.envelope(
            Soap.header("<VersionHandle>" + handle + "</VersionHandle>"), Soap.notebook("text", null)));
        if (i % 2 == 1) {
          notebook.append("a");
        }
        int seen = read.join().between("<return>", "</return>").length();
        assertTrue(seen >= i + (i + 1) / 2, seen + " letters in round " + i);
      }
    }
  }

  @Test
  void theHandleOfACreationMakesReadsOfTheResourceWait() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(LampService.class, 3, Map.of())) {
      for (int i = 0; i < 20; i++) {
        Answer created = site.call(site.primary(), Soap.envelope("", "<n:create xmlns:n=\"urn:lamps\"/>"));
        String handle = created.between("<ur:VersionHandle>", "</ur:VersionHandle>");
        String header =
            Soap.header("<VersionHandle>" + handle + "</VersionHandle><ReadLevel>session</ReadLevel>");
        byte[] read =
            Soap.envelope(header, Wsrf.rp("GetResourceProperty", "rl:CurrentTime")).getBytes(StandardCharsets.UTF_8);
        String path = site.service() + "/" + created.between("<return>", "</return>");
        for (int replica = 1; replica <= 3; replica++) {
          Answer answer = site.post(replica, path, read, "text/xml; charset=UTF-8");
          assertEquals(200, answer.status(), answer.text());
          assertEquals("read", answer.between("<ur:Status>", "</ur:Status>"));
        }
      }
    }
  }

  @Test
  void aServiceFaultThatQuotesARefusalIsTheOutcomeAndIsExecutedOnce() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of())) {
      URI wsdl = URI.create(site.uri(site.primary(), site.service()) + "?wsdl");
      Notebook notebook = FaultTolerant.client(Notebook.class, wsdl.toURL(), addresses(site));
      try {
        int before = NotebookService.EXECUTIONS.get();
        WebServiceException fault = assertThrows(WebServiceException.class, () -> notebook.quote("a"));
        assertTrue(fault.getMessage().contains("A service that is called failed."), fault.toString());
        assertEquals(1, NotebookService.EXECUTIONS.get() - before);
      } finally {
        FaultTolerant.close(notebook);
      }
    }
  }
}
