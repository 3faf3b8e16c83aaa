package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.Service;
import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Level;
import java.util.stream.IntStream;
import javax.xml.namespace.QName;
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
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.understudy.test.strategy.Strategies;

/** The client stub against replicas in Tomcat. */
@ForEachStrategy
class StubHttpTest {

  private static List<URI> addresses(ServiceCluster site) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, site.service())).toList();
  }

  @Test
  void readAtABackupWaitsForMergedVersions() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of());
        FaultTolerantGroup writer = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)));
        FaultTolerantGroup reader = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      Notebook notebook = writer.client(Notebook.class, URI.create(addresses(site).get(0) + "?wsdl").toURL());
      notebook.clear();
      for (int i = 1; i <= 20; i++) {
        notebook.append("a");
        reader.mergeVersions(VersionHandles.parse(writer.versions().toString()));
        VersionHandle next = reader.versions().ofGroup();
        // Under the strategy group a handle of no state does not wait, but is refused.
        boolean isAhead = i % 2 == 1 && !Strategies.current().equals("group");
        VersionHandle handle = isAhead ? VersionHandle.ofGroup(next.epoch(), next.position() + 1) : next;
        CompletableFuture<Answer> read = site.callLater(site.backup(), Soap.envelope(
            Soap.header("<VersionHandle>" + handle + "</VersionHandle>"), Soap.notebook("text", null)));
        if (i % 2 == 1) {
          notebook.append("a");
        }
        Answer answer = read.join();
        VersionHandle shown = VersionHandle.parse(answer.between("<ur:VersionHandle>", "</ur:VersionHandle>"));
        assertTrue(shown.position() >= handle.position(), shown + " for " + handle + " in round " + i);
        // The next position can be that of another update, as the end of a session.
        boolean showsAppended = isAhead && shown.position() >= writer.versions().ofGroup().position();
        int seen = answer.between("<return>", "</return>").length();
        int written = i + i / 2;
        assertTrue(seen >= (showsAppended ? written + 1 : written), seen + " letters in round " + i);
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
        site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
      } finally {
        FaultTolerant.close(notebook);
      }
    }
  }

  /** The contract has the operations of WSRF and WS-Notification, and the interface does not. */
  @Test
  void noPortOfAPublishedContractIsMadeWithAWarning() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(NotebookService.class, 3, Map.of());
        FaultTolerantGroup group = FaultTolerant.group(FaultTolerance.ofDefaults(addresses(site)))) {
      URL wsdl = URI.create(site.uri(1, site.service()) + "?wsdl").toURL();
      try (LogRecorder warnings = LogRecorder.of(Level.WARNING, "org.apache.cxf")) {
        QName name = new QName("urn:notebook", "NotebookServiceService");
        Service service = Service.create(wsdl, name);
        Notebook plain = service.getPort(Notebook.class);
        FaultTolerant.close(plain);
        assertFalse(warnings.lines().isEmpty(), "CXF does not warn of missing operations any more");
        warnings.clear();
        assertNotNull(group.client(Notebook.class, wsdl).text());
        assertNotNull(service.getPort(Notebook.class, group.feature()).text());
        assertNotNull(service.getPort(new QName("urn:notebook", "NotebookServicePort"), Notebook.class, group.feature()).text());
        assertEquals(List.of(), warnings.lines());
      }
    }
  }
}
