package org.understudy.container.intake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.cxf.Bus;
import org.apache.cxf.helpers.FileUtils;
import org.apache.cxf.jaxws.EndpointImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.ServiceCluster;
import org.understudy.container.attachment.FaultTolerantFeature;
import org.understudy.container.attachment.OwnServlet;
import org.understudy.test.Condition;
import org.understudy.test.cluster.Answer;
import org.understudy.test.cluster.TestCluster;

/** Files of attachments end with the request, whoever reads them. */
class AttachmentFilesHttpTest {
  private static final int LARGE = 3_900_000;
  private static final String TYPE = "multipart/related; type=\"text/xml\"; boundary=b; start=\"<r>\"";
  /** As many attachments as CXF reads by default. */
  private static final int MOST = 50;
  @TempDir private Path directory;

  private static List<String> files() {
    File[] files = FileUtils.getDefaultTempDir().listFiles();
    return files == null ? List.of() : Arrays.stream(files).map(File::getName).toList();
  }

  private static byte[] message(String operation, int attachments, int bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    String call = envelope("", "<s:" + operation + " xmlns:s=\"urn:scale\"><text>abc</text></s:" + operation + ">");
    out.writeBytes(("--b\r\nContent-Type: text/xml\r\nContent-ID: <r>\r\n\r\n" + call).getBytes(StandardCharsets.UTF_8));
    for (int id = 0; id < attachments; id++) {
      String head = "\r\n--b\r\nContent-Type: application/octet-stream\r\nContent-ID: <" + id + ">\r\n\r\n";
      out.writeBytes(head.getBytes(StandardCharsets.UTF_8));
      out.writeBytes(new byte[bytes]);
    }
    out.writeBytes("\r\n--b--\r\n".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  private static void leavesNothing(TestCluster site, String path) {
    List<String> before = files();
    for (String operation : new String[] {"weigh", "echo", "unknown"}) {
      Answer answer =
          site.post(site.primary(), path, message(operation, 2, LARGE / 2), TYPE);
      assertEquals(operation.equals("unknown") ? 500 : 200, answer.status(), answer.text());
    }
    Condition.await("the end of the requests' files, now " + files(), () -> before.containsAll(files()));
  }

  /** CXF finds that there are too many when it has run the operation, and wrote no answer. */
  private static void answersManyAndRefusesMore(TestCluster site, String path) {
    List<String> before = files();
    int large = 2 * LARGE / 3 / MOST;
    Answer answer = site.post(site.primary(), path, message("weigh", MOST, large), TYPE);
    assertEquals(200, answer.status(), answer.text());
    answer = site.post(site.primary(), path, message("weigh", MOST + 1, large), TYPE);
    assertEquals(500, answer.status(), answer.text());
    assertTrue(answer.text().contains("more attachments than are permitted"), answer.text());
    Condition.await("the end of the requests' files, now " + files(), () -> before.containsAll(files()));
  }

  @Test
  void moreAttachmentsThanPermittedAreRefused() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, ScaleService.class, 1, Map.of())) {
      answersManyAndRefusesMore(site, site.service());
    }
  }

  @Test
  void moreAttachmentsThanPermittedAreRefusedAtAnAttachedEndpoint() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachmentFilesHttpTest::publish), 1, Map.of())) {
      answersManyAndRefusesMore(site, "/soap/scale");
    }
  }

  @Test
  void attachmentsToWhichNothingRefersLeaveNoFile() throws Exception {
    try (ServiceCluster site = new ServiceCluster(directory, ScaleService.class, 1, Map.of())) {
      leavesNothing(site, site.service());
    }
  }

  private static void publish(Bus bus) {
    EndpointImpl endpoint = new EndpointImpl(bus, new ScaleService());
    endpoint.getFeatures().add(new FaultTolerantFeature("scale"));
    endpoint.publish("/scale");
  }

  @Test
  void attachmentsToAnAttachedEndpointLeaveNoFile() throws Exception {
    try (TestCluster site = new TestCluster(directory, new OwnServlet(AttachmentFilesHttpTest::publish), 1, Map.of())) {
      leavesNothing(site, "/soap/scale");
    }
  }
}
