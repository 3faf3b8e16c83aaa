package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.messageId;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Wsrf;
import org.understudy.container.service.LampService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** A request id that was used at one resource means nothing at another. */
@ForEachStrategy
class IdentityHttpTest {
  private static final String BRIGHTEN = "<n:brighten xmlns:n=\"urn:lamps\"><by>7</by></n:brighten>";

  private static ServiceCluster site;

  @BeforeEach
  void start() throws Exception {
    site = ServiceCluster.shared(LampService.class, 3, Map.of());
  }

  @AfterEach
  void stop() throws Exception {
    site.close();
  }

  private static Answer brighten(int replica, String id, String headers) {
    byte[] request = envelope(headers, BRIGHTEN).getBytes(StandardCharsets.UTF_8);
    return site.post(replica, site.service() + "/" + id, request, "text/xml");
  }

  private static String status(Answer answer) {
    return answer.between("<ur:Status>", "</ur:Status>");
  }

  @Test
  void aMessageIdOfAnotherResourceIsAnotherRequest() {
    String a = Wsrf.create(site);
    String b = Wsrf.create(site);
    String id = messageId("urn:uuid:the-same");
    for (int replica : new int[] {site.primary(), site.backup()}) {
      String expected = replica == site.primary() ? "executed" : "replayed";
      assertEquals(expected, status(brighten(replica, b, id)));
      assertEquals(expected, status(brighten(replica, a, id)));
    }
    String read = Wsrf.get(site, site.primary(), a, "l:Level");
    assertEquals(read, Wsrf.get(site, site.primary(), b, "l:Level"), "each was brightened once");
  }

  @Test
  void aSequenceNumberOfAnotherResourceIsAMismatch() {
    String a = Wsrf.create(site);
    String b = Wsrf.create(site);
    String session = site.openSession();
    assertEquals("executed", status(brighten(site.primary(), a, header(session, 1, 1))));
    Answer other = brighten(site.primary(), b, header(session, 1, 2));
    assertEquals("DigestMismatch", other.between("<ur:Code>", "</ur:Code>"));
    assertEquals("replayed", status(brighten(site.primary(), a, header(session, 1, 3))));
  }
}
