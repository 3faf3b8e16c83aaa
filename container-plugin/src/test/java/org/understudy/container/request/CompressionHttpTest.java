package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.messageId;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.cxf.annotations.GZIP;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.container.ServiceCluster;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.test.cluster.Answer;

/** A service whose CXF compresses responses, and clients that accept that. */
class CompressionHttpTest {
  /** Repeats a text, and numbers its answers. */
  @WebService(targetNamespace = "urn:repeater")
  @GZIP(force = true, threshold = 0)
  @ReplicatedState
  public static class Repeater {
    private int answers;

    @WebMethod
    public String repeat(@WebParam(name = "text") String text) {
      answers++;
      return answers + text.repeat(1_000);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"before", "after"})
  void theResponseIsStoredAndSentUncompressed(String place) throws Exception {
    Map<String, String> settings = Map.of("understudy.place", place, "understudy.wsrf", "off");
    try (ServiceCluster site = ServiceCluster.shared(Repeater.class, 2, settings)) {
      for (int replica = 1; replica <= 2; replica++) {
        for (String coding : new String[] {"gzip", "gzip, deflate, br", "*", "identity"}) {
          String id = "urn:" + place + replica + coding.length();
          String expected = repeat(site, replica, coding, id);
          assertEquals(expected, repeat(site, 3 - replica, coding, id), coding);
        }
      }
      assertEquals("9", repeat(site, 1, "gzip", "urn:last" + place));
    }
  }

  /** Returns the number of the answer. */
  private static String repeat(ServiceCluster site, int replica, String coding, String id) {
    String request = envelope(messageId(id), "<r:repeat xmlns:r=\"urn:repeater\"><text>abc</text></r:repeat>");
    byte[] body = request.getBytes(StandardCharsets.UTF_8);
    Answer answer = site.post(replica, site.service(), body, "text/xml", "Accept-Encoding", coding);
    assertEquals(200, answer.status(), coding + " " + answer.text());
    String returned = answer.between("<return>", "</return>");
    int digits = returned.indexOf('a');
    assertEquals("abc".repeat(1_000), returned.substring(digits));
    return returned.substring(0, digits);
  }
}
