package org.understudy.container.interceptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.container.intake.ScaleService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Faults of an endpoint that the application publishes itself. */
class AttachedFaultsHttpTest {
  @TempDir private Path directory;

  private static void publish(Bus bus) {
    EndpointImpl endpoint = new EndpointImpl(bus, new ScaleService());
    endpoint.getFeatures().add(new FaultTolerantFeature("scale"));
    endpoint.publish("/scale");
  }

  /** What a client sent does not come back whole, and classes are not named. */
  @Test
  void faultsOfAnAttachedEndpointAreShort() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachedFaultsHttpTest::publish), 1, Map.of())) {
      String large = "x".repeat(1_000_000);
      for (String content : new String[] {
        "<s:quote xmlns:s=\"urn:scale\"><text>" + large + "</text></s:quote>",
        "<s:weigh xmlns:s=\"urn:scale\"><" + large + "/></s:weigh>",
        "<s:weigh xmlns:s=\"urn:scale\"><text><" + large + "/></text></s:weigh>",
        "<s:" + large + " xmlns:s=\"urn:scale\"/>",
        "<s:weigh xmlns:s=\"urn:scale\"><text xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\" i:type=\"s:" + large
            + "\">a</text></s:weigh>",
        "<" + large + ":weigh/>",
      }) {
        Answer answer = site.post(1, "/soap/scale", envelope("", content).getBytes(StandardCharsets.UTF_8), "text/xml");
        String start = content.substring(0, 30);
        assertEquals(500, answer.status(), start + ": " + answer.text());
        assertTrue(answer.text().length() < 3_000, start + ": " + answer.text().length());
        assertFalse(answer.text().contains("java.") || answer.text().contains("org.apache"), start + ": " + answer.text());
      }
    }
  }
}
