package org.understudy.container.attachment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import jakarta.servlet.ServletConfig;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRegistration;
import jakarta.servlet.UnavailableException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Level;
import org.apache.catalina.Context;
import org.apache.catalina.servlets.DefaultServlet;
import org.apache.catalina.startup.Tomcat;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.CXFNonSpringServlet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebApplication;

/** A servlet of CXF that publishes endpoints and then fails. Tomcat goes on with the application, and answers each call with an error. */
class FailedServletHttpTest {
  /** What a servlet throws; null for nothing. */
  private static volatile String failure;
  private static volatile boolean other;
  @TempDir Path directory;

  @BeforeEach
  void works() {
    failure = null;
    other = false;
  }

  /** Publishes a replicated endpoint, and fails if it is to. */
  public static class Publisher extends CXFNonSpringServlet {
    private static final long serialVersionUID = 1L;

    @Override
    public void init(ServletConfig configuration) throws ServletException {
      super.init(configuration);
      new EndpointImpl(getBus(), new Ledger("Ann")).publish("/ledger");
      fail(!other);
    }

    static void fail(boolean now) throws ServletException {
      if (now && failure != null) {
        switch (failure) {
          case "runtime" -> throw new IllegalStateException("no table");
          case "servlet" -> throw new ServletException("no table");
          case "briefly" -> throw new UnavailableException("no table", 3_600);
          default -> throw new UnavailableException("no table");
        }
      }
    }
  }

  /** Publishes nothing, and fails if it is to. */
  public static class Other extends CXFNonSpringServlet {
    private static final long serialVersionUID = 1L;

    @Override
    public void init(ServletConfig configuration) throws ServletException {
      super.init(configuration);
      Publisher.fail(other);
    }
  }

  /** @param byClass whether the container makes the servlet, as for web.xml */
  private record Application(boolean byClass) implements WebApplication {
    @Override
    public String path() {
      return "/app";
    }

    @Override
    public Context addTo(Tomcat tomcat, Path base) {
      Context context = tomcat.addContext(path(), base.toString());
      Tomcat.addServlet(context, "default", new DefaultServlet()).addMapping("/");
      context.addServletContainerInitializer(new UnderstudyInitializer(), null);
      context.addServletContainerInitializer(
          (classes, servlets) -> {
            ServletRegistration.Dynamic soap =
                byClass ? servlets.addServlet("soap", Publisher.class) : servlets.addServlet("soap", new Publisher());
            soap.setLoadOnStartup(1);
            soap.addMapping("/soap/*");
            ServletRegistration.Dynamic rest = servlets.addServlet("rest", new Other());
            rest.setLoadOnStartup(2);
            rest.addMapping("/rest/*");
          },
          null);
      return context;
    }
  }

  private static int add(TestCluster site, int replica) {
    String call = envelope("", "<l:add xmlns:l=\"urn:ledger\"><line>a</line></l:add>");
    return site.post(replica, "/soap/ledger", call.getBytes(StandardCharsets.UTF_8), "text/xml").status();
  }

  @ParameterizedTest
  @CsvSource({
    "true, runtime, java.lang.IllegalStateException", "false, runtime, java.lang.IllegalStateException",
    "true, servlet, jakarta.servlet.ServletException", "true, briefly, jakarta.servlet.UnavailableException",
    "false, unavailable, jakarta.servlet.UnavailableException"
  })
  void aReplicaWhoseServletHasFailedIsNotReadyAndNeverThePrimary(boolean byClass, String kind, String thrown) throws Exception {
    try (TestCluster site = new TestCluster(directory, new Application(byClass), 3, Map.of())) {
      int broken = site.primary();
      site.stop(broken);
      failure = kind;
      try (LogRecorder server = LogRecorder.of(Level.SEVERE, "org.apache.catalina.core.ContainerBase");
          LogRecorder log = LogRecorder.of(Level.SEVERE, "org.understudy")) {
        site.start(broken);
        Condition.await(() -> site.health(broken, "ready").body().contains("soap"));
        assertTrue(server.has("soap"), server.lines().toString());
        List<String> lines = log.lines();
        assertEquals(1, lines.size(), lines.toString());
        String named = "soap (" + thrown + ": no table)";
        assertTrue(lines.get(0).contains(named), lines.get(0));
      }
      for (String check : List.of("ready", "writable", "primary", "live")) {
        assertEquals(503, site.health(broken, check).statusCode(), check);
      }
      int next = site.primary();
      assertTrue(next != broken);
      assertEquals(200, add(site, next));
      site.stop(broken);
      failure = null;
      site.start(broken);
      site.awaitReady(broken);
    }
  }

  @Test
  void aServletThatServesNoReplicatedEndpointMayFail() throws Exception {
    other = true;
    failure = "runtime";
    try (TestCluster site = new TestCluster(directory, new Application(true), 1, Map.of())) {
      assertEquals(200, site.health(1, "ready").statusCode());
      assertEquals(200, add(site, 1));
    }
  }
}
