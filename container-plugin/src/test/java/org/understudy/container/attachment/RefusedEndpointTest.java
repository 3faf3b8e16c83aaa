package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import jakarta.xml.ws.WebServiceException;
import java.net.HttpURLConnection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.jaxws.JAXWSMethodInvoker;
import org.apache.cxf.jaxws.JaxWsServerFactoryBean;
import org.apache.cxf.service.invoker.PerRequestFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.test.network.FreePorts;

/** Endpoints that cannot be replicated as they are published: they are named with the reason, and not served. */
class RefusedEndpointTest {
  /** Held, since a logger that is collected loses its level. */
  private static final Logger TOMCAT = Logger.getLogger("org.apache");

  @TempDir Path directory;

  @BeforeAll
  static void quiet() {
    TOMCAT.setLevel(Level.OFF);
  }

  @AfterAll
  static void loud() {
    TOMCAT.setLevel(null);
  }

  /** The errors that the plugin logs, when an application publishes so. */
  private List<String> errors(Consumer<Bus> publisher, String path) throws Exception {
    List<String> lines = new CopyOnWriteArrayList<>();
    Logger logger = Logger.getLogger("org.understudy.container");
    Handler handler = new Handler() {
      @Override
      public void publish(LogRecord entry) {
        if (entry.getLevel().intValue() >= Level.SEVERE.intValue()) {
          lines.add(entry.getMessage());
        }
      }

      @Override
      public void flush() {}

      @Override
      public void close() {}
    };
    logger.addHandler(handler);
    logger.setLevel(Level.ALL);
    logger.setUseParentHandlers(false);
    int port = FreePorts.next();
    Path settings = directory.resolve("understudy.properties");
    Files.writeString(
        settings, "understudy.replica=1\nunderstudy.strategy=none\nunderstudy.replicas=1=http://127.0.0.1:" + port + "/app\n");
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(port);
    tomcat.getConnector();
    try {
      Context context = new OwnServlet(publisher).addTo(tomcat, directory);
      context.addParameter("understudy.config", settings.toString());
      tomcat.start();
      HttpURLConnection call =
          (HttpURLConnection) new java.net.URL("http://127.0.0.1:" + port + "/app/soap" + path + "?wsdl").openConnection();
      assertEquals(404, call.getResponseCode());
      // Other paths of the application go on.
      HttpURLConnection other = (HttpURLConnection) new java.net.URL("http://127.0.0.1:" + port + "/app/other").openConnection();
      other.setRequestMethod("POST");
      assertEquals(404, other.getResponseCode());
    } finally {
      tomcat.stop();
      tomcat.destroy();
      logger.removeHandler(handler);
      logger.setLevel(null);
      logger.setUseParentHandlers(true);
    }
    return lines;
  }

  private void assertRefused(String why, String path, Consumer<Bus> publisher) throws Exception {
    List<String> lines = errors(publisher, path);
    assertEquals(1, lines.size(), lines.toString());
    assertEquals(1, lines.get(0).lines().count());
    assertTrue(lines.get(0).contains(why), lines.get(0));
  }

  /** The application goes on without the endpoint. */
  private static void assertNotPublished(Runnable publishing) {
    assertThrows(WebServiceException.class, publishing::run);
  }

  @Test
  void anObjectForEachRequestHasNoStateToReplicate() throws Exception {
    assertRefused("Use one object for the endpoint", "/scoped", bus -> {
      JaxWsServerFactoryBean factory = new JaxWsServerFactoryBean();
      factory.setBus(bus);
      factory.setServiceClass(Stateless.class);
      factory.setAddress("/scoped");
      factory.setInvoker(new JAXWSMethodInvoker(new PerRequestFactory(Stateless.class)));
      factory.getFeatures().add(new FaultTolerantFeature());
      assertNotPublished(factory::create);
    });
  }

  @Test
  void serviceMustDeclareItsState() throws Exception {
    assertRefused("neither names its @ResourceState nor implements StateCapture", "/stateless",
        bus -> assertNotPublished(() -> new EndpointImpl(bus, new Stateless()).publish("/stateless")));
  }

  @Test
  void twoServicesCannotHaveOneName() throws Exception {
    assertRefused("Two services of this web application have the name one", "/ann", bus -> {
      for (String address : new String[] {"/ann", "/bob"}) {
        EndpointImpl endpoint = new EndpointImpl(bus, new PlainLedger("any"));
        endpoint.getFeatures().add(new FaultTolerantFeature("one"));
        endpoint.publish(address);
      }
    });
  }

  @Test
  void anEndpointThatAppearsLaterIsRefused() throws Exception {
    assertRefused("after all servlets of the web application had started", "/later", bus -> {
      new EndpointImpl(bus, new Ledger("Ann")).publish("/ann");
      Attachments.begun(Thread.currentThread().getContextClassLoader()).complete();
      assertNotPublished(() -> new EndpointImpl(bus, new Ledger("Bob")).publish("/later"));
    });
  }

  /** Says nothing of its state. */
  @FaultTolerant
  @WebService(targetNamespace = "urn:stateless")
  public static class Stateless {
    /** Needed by CXF. */
    public Stateless() {}

    public String say(String what) {
      return what;
    }
  }
}
