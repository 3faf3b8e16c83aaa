package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.xml.ws.soap.Addressing;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.binding.soap.interceptor.SoapOutInterceptor;
import org.apache.cxf.interceptor.transform.TransformOutInterceptor;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.https.CertConstraintsInterceptor;
import org.apache.cxf.ws.security.wss4j.WSS4JStaxInInterceptor;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.QueryNamespaceService;
import org.understudy.container.service.StampedNotebookService;
import org.understudy.test.cluster.Answer;

/** Where the requests of an endpoint are replicated, and what CXF's own interceptors mean there. */
class ReplicationPlaceTest {
  private interface Look<T> {
    T at(Bus bus, org.apache.cxf.endpoint.Endpoint endpoint);
  }

  private static <T> T look(Consumer<EndpointImpl> change, Look<T> look) {
    Bus bus = BusFactory.newInstance().createBus();
    try {
      EndpointImpl endpoint = new EndpointImpl(bus, new NotebookService());
      change.accept(endpoint);
      endpoint.publish("/notebook");
      return look.at(bus, endpoint.getServer().getEndpoint());
    } finally {
      bus.shutdown(true);
    }
  }

  private static ReplicationPlace place(Consumer<EndpointImpl> change) {
    return look(change, (bus, endpoint) -> ReplicationPlace.of(bus, endpoint, "auto"));
  }

  private static boolean isStreamed(Consumer<EndpointImpl> change) {
    return look(change, (bus, endpoint) -> ReplicationPlace.of(bus, endpoint, "auto").isStreamed(bus, endpoint));
  }

  @Test
  void plainEndpointIsReplicatedBeforeCxf() {
    assertFalse(place(endpoint -> {}).isAfterCxf());
  }

  /** CXF declares it by a policy. */
  @Addressing
  private static final class AddressedNotebook extends NotebookService {}

  @Test
  void endpointWithAddressingIsReplicatedBeforeCxf() {
    Bus bus = BusFactory.newInstance().createBus();
    try {
      EndpointImpl endpoint = new EndpointImpl(bus, new AddressedNotebook());
      endpoint.publish("/notebook");
      assertEquals(List.of(), ReplicationPlace.of(bus, endpoint.getServer().getEndpoint(), "auto").reasons());
    } finally {
      bus.shutdown(true);
    }
  }

  @Test
  void constraintsOnCertificatesAuthorise() {
    assertTrue(place(endpoint -> endpoint.getInInterceptors().add(CertConstraintsInterceptor.INSTANCE)).isAfterCxf());
  }

  @Test
  void transformationIsTheUsersAndNoPartOfMarshalling() {
    assertTrue(place(endpoint -> endpoint.getOutInterceptors().add(new TransformOutInterceptor())).isAfterCxf());
    assertFalse(Marshalling.marshals(new TransformOutInterceptor()));
    assertTrue(Marshalling.marshals(new SoapOutInterceptor(null)));
  }

  @Test
  void streamingSecurityIsDetected() {
    assertFalse(isStreamed(endpoint -> {}));
    assertTrue(isStreamed(endpoint -> endpoint.setProperties(Map.of(ReplicationPlace.STREAMING, "true"))));
    assertTrue(isStreamed(endpoint -> endpoint.getInInterceptors().add(new WSS4JStaxInInterceptor(Map.of("action", "Timestamp")))));
  }

  @Test
  void namespaceOfAnOperationMayContainAnAmpersand() throws Exception {
    try (ServiceCluster site = ServiceCluster.shared(QueryNamespaceService.class, 1, Map.of())) {
      String body = "<q:add xmlns:q=\"" + QueryNamespaceService.NAMESPACE.replace("&", "&amp;") + "\"><arg0>2</arg0></q:add>";
      String request = Soap.envelope(StampedNotebookService.KEY + Soap.messageId("urn:query:1"), body);
      Answer first = site.call(site.primary(), request);
      assertEquals(200, first.status(), first.text());
      assertEquals("2", first.between("<return>", "</return>"));
      assertEquals("2", site.call(site.primary(), request).between("<return>", "</return>"));
    }
  }
}
