package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.understudy.container.Soap.envelope;

import jakarta.servlet.ServletRegistration;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.BusFactory;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebApplication;

/** Endpoints behind several servlets of CXF. */
class SeveralServletsHttpTest {
  @TempDir Path directory;

  /**
   * Two servlets with one bus, and one with another bus.
   *
   * @param early whether the application publishes its endpoints before the server calls the plugin, as a container of CDI may do
   */
  private record Application(boolean early) implements WebApplication {
    @Override
    public String path() {
      return "/app";
    }

    @Override
    public Context addTo(Tomcat tomcat, Path base) {
      Context context = tomcat.addContext(path(), base.toString());
      if (!early) {
        context.addServletContainerInitializer(new UnderstudyInitializer(), null);
      }
      context.addServletContainerInitializer((classes, servlets) -> {
        Bus first = BusFactory.newInstance().createBus();
        Bus second = BusFactory.newInstance().createBus();
        Map<String, Bus> buses = Map.of("one", first, "two", first, "three", second);
        buses.forEach((name, bus) -> {
          CXFNonSpringServlet servlet = new CXFNonSpringServlet();
          servlet.setBus(bus);
          ServletRegistration.Dynamic registration = servlets.addServlet(name, servlet);
          registration.setLoadOnStartup(1);
          registration.addMapping("/" + name + "/*");
        });
        new EndpointImpl(first, new Ledger("Ann")).publish("/ledger");
        new EndpointImpl(second, new PlainLedger("Bob")).publish("/ledger");
        EndpointImpl named = new EndpointImpl(second, new PlainLedger("Cid"));
        named.getFeatures().add(new FaultTolerantFeature("cid"));
        named.publish("/cid");
      }, null);
      if (early) {
        context.addServletContainerInitializer(new UnderstudyInitializer(), null);
      }
      return context;
    }
  }

  private static Answer add(TestCluster cluster, String path, String line) {
    String envelope = envelope("", "<l:add xmlns:l=\"urn:ledger\"><line>" + line + "</line></l:add>");
    return cluster.post(1, path, envelope.getBytes(StandardCharsets.UTF_8), "text/xml");
  }

  private static String replicated(TestCluster cluster, String path, String line) {
    Answer answer = add(cluster, path, line);
    assertEquals(200, answer.status(), answer.text());
    assertEquals("executed", answer.between("<ur:Status>", "</ur:Status>"));
    return answer.between("<return>", "</return>");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void anEndpointIsReplicatedBelowTheServletsOfItsBus(boolean early) throws Exception {
    try (TestCluster cluster = new TestCluster(directory, new Application(early), 1, Map.of())) {
      assertEquals("Ann:a", replicated(cluster, "/one/ledger", "a"));
      assertEquals("Ann:ab", replicated(cluster, "/two/ledger", "b"));
      assertEquals("Cid:a", replicated(cluster, "/three/cid", "a"));
      Answer plain = add(cluster, "/three/ledger", "c");
      assertEquals("Bob:c", plain.between("<return>", "</return>"));
      assertFalse(plain.text().contains("ReplicationHeader"), plain.text());
      assertEquals(404, add(cluster, "/one/cid", "d").status());
    }
  }
}
