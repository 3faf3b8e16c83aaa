package org.understudy.wsrf.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.notebook;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.tools.common.ToolContext;
import org.apache.cxf.tools.wsdlto.WSDLToJava;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.container.service.CxfContract;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.ParcelService;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.network.NoInternet;
import org.w3c.dom.Document;

/** A service without the standard operations: {@code understudy.wsrf=off}. */
class OwnContractHttpTest {
  private static final Map<String, String> OFF = Map.of("understudy.wsrf", "off");
  private static final Set<String> STANDARDS =
      Set.of("understudy-events", "understudy-notifications", "understudy-lifetimes");
  @TempDir Path directory;

  private static Document fetched(ServiceCluster replica, String query) throws Exception {
    try (var in = replica.uri(1, replica.service() + query).toURL().openStream()) {
      return Xml.read(in);
    }
  }

  /** CXF writes operations in no order. */
  private static List<String> lines(Document document) {
    return Xml.write(document).replaceFirst("<\\?xml[^>]*>", "").lines().map(String::strip).sorted().toList();
  }

  @Test
  void thePublishedContractIsWhatCxfPublishes() throws Exception {
    Bus bus = BusFactory.newInstance().createBus();
    try (ServiceCluster replica = ServiceCluster.shared(NotebookService.class, 1, OFF)) {
      EndpointImpl plain = new EndpointImpl(bus, new NotebookService());
      plain.publish("/notebook");
      String address = replica.uri(1, replica.service()).toString();
      CxfContract contract = new CxfContract(bus, plain.getServer().getEndpoint());
      assertEquals(lines(contract.document("wsdl", address)), lines(fetched(replica, "?wsdl")));
    } finally {
      bus.shutdown(true);
    }
  }

  @Test
  void standardOperationsAndTheirEndpointsAreUnknown() throws Exception {
    try (ServiceCluster replica = ServiceCluster.shared(NotebookService.class, 1, OFF)) {
      Answer answer =
          replica.call(1, envelope("", "<r:GetResourcePropertyDocument xmlns:r=\"" + Gallery.RP + "\"/>"));
      assertTrue(answer.text().contains("The service has no operation {" + Gallery.RP + "}"), answer.text());
      for (String path :
          List.of(
              "/services/SubscriptionManager", "/services/CreatePullPoint", "/services/PullPoint", "/services/ServiceGroup",
              "/notification")) {
        assertEquals(404, Wsrf.post(replica, 1, path, "<n:x xmlns:n=\"urn:x\"/>").status(), path);
      }
      assertFalse(replica.health(1, "live").body().contains("subscriptions"));
    }
  }

  @Test
  void noThreadExistsForThem() throws Exception {
    Path first = Files.createDirectory(directory.resolve("on"));
    Path second = Files.createDirectory(directory.resolve("off"));
    try (ServiceCluster on = new ServiceCluster(first, NotebookService.class, 1, Map.of());
        ServiceCluster off = new ServiceCluster(second, NotebookService.class, 1, OFF)) {
      Condition.await("the threads of the standards", () -> threads(on).containsAll(STANDARDS));
      Set<String> names = threads(off);
      assertTrue(names.stream().noneMatch(name -> STANDARDS.stream().anyMatch(name::startsWith)), names::toString);
    }
  }

  /** By the class loader of the web application, which a thread inherits from the one that made it. */
  private static Set<String> threads(ServiceCluster replica) {
    ClassLoader application = replica.context(1).getLoader().getClassLoader();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getContextClassLoader() == application)
        .map(thread -> thread.getName().replaceFirst("-\\d+$", ""))
        .collect(Collectors.toSet());
  }

  @Test
  void theServiceIsReplicatedAllTheSame() throws Exception {
    try (ServiceCluster group = new ServiceCluster(directory, NotebookService.class, 3, OFF)) {
      int primary = group.primary();
      Answer first = group.call(group.backup(), envelope("", notebook("append", "kept")));
      assertEquals(200, first.status(), first.text());
      group.stop(primary);
      int next = group.primary();
      assertTrue(group.call(next, envelope("", notebook("append", "!"))).text().contains("kept!"));
    }
  }

  /** Neither the deployment nor the generator of a client leaves the machine, whether the standards are published or not. */
  @ParameterizedTest
  @ValueSource(strings = {"on", "off"})
  void schemasThatAContractImportsFromTheInternetAreBundled(String wsrf) throws Exception {
    try (NoInternet network = new NoInternet();
        ServiceCluster replica = ServiceCluster.shared(ParcelService.class, 1, Map.of("understudy.wsrf", wsrf))) {
      for (Reference reference : Reference.of(fetched(replica, "?wsdl"))) {
        assertTrue(reference.location().startsWith(replica.uri(1, replica.service()) + "?"), reference.location());
      }
      new WSDLToJava(new String[] {"-d", directory.toString(), replica.uri(1, replica.service()) + "?wsdl"})
          .run(new ToolContext());
      assertEquals(List.of(), network.elsewhere());
    }
  }
}
