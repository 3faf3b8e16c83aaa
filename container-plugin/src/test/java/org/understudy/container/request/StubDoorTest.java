package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.WebServiceException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.client.FaultTolerant;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.Notebook;
import org.understudy.container.service.NotebookService;

/** The client stub against replicas in Tomcat. */
class StubDoorTest {

  private static List<URI> addresses(ServiceCluster site) {
    return IntStream.rangeClosed(1, 3).mapToObj(number -> site.uri(number, site.service())).toList();
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
