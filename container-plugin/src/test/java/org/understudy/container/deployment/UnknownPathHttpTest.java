package org.understudy.container.deployment;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.logging.Logger;
import org.apache.cxf.jaxws.EndpointImpl;
import org.apache.cxf.transport.servlet.ServletController;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.Soap;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.test.LogRecorder;
import org.understudy.test.cluster.TestCluster;

class UnknownPathHttpTest {
  @TempDir private Path directory;

  /** Any service. */
  @WebService
  public static class NoteService {
    @ReplicatedState private int notes;

    /** Counts. */
    public int note() {
      return ++notes;
    }
  }

  @Test
  void pathsWithoutAnEndpointFillNoLog() throws Exception {
    OwnServlet application = new OwnServlet(bus -> {
      EndpointImpl endpoint = new EndpointImpl(bus, new NoteService());
      endpoint.getFeatures().add(new FaultTolerantFeature());
      endpoint.publish("/note");
    });
    try (LogRecorder log = LogRecorder.of(ServletController.class, UnknownPathLog.class);
        TestCluster site = new TestCluster(directory, application, 1, Map.of())) {
      byte[] envelope = Soap.envelope("", "").getBytes(StandardCharsets.UTF_8);
      for (int i = 0; i < 30; i++) {
        assertEquals(404, site.post(1, "/soap/" + "x".repeat(2_800) + i, envelope, "text/xml").status());
      }
      List<String> lines = log.lines().stream().filter(line -> line.contains("xxx")).toList();
      assertEquals(1, lines.size(), lines::toString);
      assertTrue(lines.get(0).length() < 500, lines::toString);
    }
    assertNull(Logger.getLogger(ServletController.class.getName()).getFilter());
  }
}
