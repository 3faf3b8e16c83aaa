package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.test.LogRecorder;

class OtherStackTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "Metro, com.sun.xml.ws.transport.http.servlet.WSServlet",
    "Axis2, org.apache.axis2.transport.http.AxisServlet",
    "Spring-WS, org.springframework.ws.transport.http.MessageDispatcherServlet"
  })
  void anApplicationOfAnotherStackIsToldThatCxfIsNeeded(String stack, String servlet) throws Exception {
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    Context context = tomcat.addContext("/app", directory.toString());
    Map.of("understudy.replica", "1", "understudy.replicas", "1=http://127.0.0.1:1/app", "understudy.strategy", "none",
        "understudy.endpoints", "/hello").forEach(context::addParameter);
    context.addServletContainerInitializer(new UnderstudyInitializer(), null);
    // Its class is not needed before the first request.
    Tomcat.addServlet(context, "hello", servlet);
    try (LogRecorder log = LogRecorder.of(Deployment.class)) {
      tomcat.start();
      List<String> lines = log.lines();
      assertEquals(2, lines.size(), lines::toString);
      for (String line : lines) {
        assertTrue(line.contains("Its servlet hello is of " + stack + ", and only endpoints of Apache CXF are replicated."), line);
        assertTrue(!line.contains("@FaultTolerant") && !line.contains("Correct the names"), line);
      }
    } finally {
      tomcat.stop();
      tomcat.destroy();
    }
  }
}
