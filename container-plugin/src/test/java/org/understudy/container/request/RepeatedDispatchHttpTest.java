package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.Soap;
import org.understudy.container.deployment.UnderstudyInitializer;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;
import org.understudy.test.cluster.WebApplication;
import org.understudy.test.strategy.RollbackStrategy;

/** A filter of the application's, behind the plugin's, sees an execution that is repeated once more. */
class RepeatedDispatchHttpTest {
  private static final int CALLS = 40;

  @TempDir Path directory;
  private final AtomicInteger passed = new AtomicInteger();

  /** A web application with a filter of its own before the services. */
  private final class Filtered implements WebApplication {
    private final boolean asynchronous;

    Filtered(boolean asynchronous) {
      this.asynchronous = asynchronous;
    }

    @Override
    public String path() {
      return "/app";
    }

    @Override
    public Context addTo(Tomcat tomcat, Path base) {
      Context context = tomcat.addContext(path(), base.toString());
      context.addParameter("understudy.service", NotebookService.class.getName());
      context.addServletContainerInitializer(new UnderstudyInitializer(), null);
      FilterDef definition = new FilterDef();
      definition.setFilterName("own");
      Filter filter = (request, response, chain) -> {
        passed.incrementAndGet();
        chain.doFilter(request, response);
      };
      definition.setFilter(filter);
      definition.setAsyncSupported(Boolean.toString(asynchronous));
      context.addFilterDef(definition);
      FilterMap mapping = new FilterMap();
      mapping.setFilterName("own");
      mapping.addURLPattern("/services/*");
      mapping.setDispatcher(DispatcherType.REQUEST.name());
      mapping.setDispatcher(DispatcherType.ASYNC.name());
      context.addFilterMap(mapping);
      return context;
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyExecutionGoesThroughTheFiltersBehindThePlugin(boolean asynchronous) throws Exception {
    Map<String, String> settings = Map.of("understudy.strategy", RollbackStrategy.NAME);
    try (TestCluster cluster = new TestCluster(directory, new Filtered(asynchronous), 3, settings)) {
      int primary = cluster.primary();
      int executions = NotebookService.EXECUTIONS.get();
      for (int i = 1; i <= CALLS; i++) {
        byte[] call = Soap.envelope("", Soap.notebook("append", "x")).getBytes(StandardCharsets.UTF_8);
        Answer answer = cluster.post(primary, "/services/NotebookService", call, "text/xml; charset=UTF-8");
        assertEquals("x".repeat(i), answer.between("<return>", "</return>"));
      }
      assertTrue(NotebookService.EXECUTIONS.get() - executions > CALLS, "some were repeated");
      assertEquals(NotebookService.EXECUTIONS.get() - executions, passed.get());
    }
  }
}
