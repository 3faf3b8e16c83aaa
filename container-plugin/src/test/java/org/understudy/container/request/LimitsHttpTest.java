package org.understudy.container.request;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.understudy.container.Soap.envelope;
import static org.understudy.container.Soap.header;
import static org.understudy.container.Soap.messageId;
import static org.understudy.container.Soap.notebook;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.service.NotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;

/** What clients see of limits in bytes, of identities without a reply, and of sessions that have ended. */
@ForEachStrategy
class LimitsHttpTest {
  private static final String READ_TEXT = envelope("", notebook("text", null));

  private static final Map<String, String> SETTINGS =
      Map.of("understudy.state.bytes", "65536", "understudy.replies.bytes", "65536", "understudy.reply.bytes", "4096");

  private ServiceCluster site;
  private int primary;

  @AfterEach
  void close() throws Exception {
    site.close();
  }

  @BeforeEach
  void empty() throws Exception {
    site = ServiceCluster.shared(NotebookService.class, 3, SETTINGS);
    primary = site.primary();
    clear();
    NotebookService.EXECUTIONS.set(0);
  }

  private void clear() {
    assertEquals(200, site.call(primary, envelope("", notebook("clear", null))).status());
  }

  private static String fault(Answer answer) {
    assertEquals(500, answer.status(), answer.text());
    return answer.between("<ur:Code>", "</ur:Code>") + " " + answer.between("<ur:Executed>", "</ur:Executed>");
  }

  private String text() {
    return site.call(primary, READ_TEXT).between("<return>", "</return>");
  }

  @Test
  void aReplyThatIsTooLargeIsATerminalFailure() {
    String session = site.openSession();
    String large = notebook("append", "x".repeat(5_000));
    assertEquals("TooLarge no", fault(site.call(primary, envelope(header(session, 1, 1), large))));
    assertEquals("TooLarge no", fault(site.call(primary, envelope(header(session, 1, 2), large))));
    assertEquals("TooLarge no", fault(site.call(site.backup(), envelope(messageId("urn:too-large"), large))));
    assertEquals("TooLarge no", fault(site.call(primary, envelope(messageId("urn:too-large"), large))));
    site.assertRuns(2, NotebookService.EXECUTIONS.get());
    Answer next = site.call(primary, envelope(header(session, 2, 1), notebook("append", "a")));
    assertEquals("a", next.between("<return>", "</return>"), "what the failed execution wrote is gone");
  }

  @Test
  void aReplyFarAboveTheLimitIsCountedAndNotKept() {
    Answer refused = site.call(primary, envelope("", notebook("append", "x".repeat(3_000_000))));
    assertEquals("TooLarge no", fault(refused));
    // Of its characters alone: it is not even marshalled.
    assertEquals("3000000", refused.between("The reply has at least ", " bytes"));
    assertEquals("", text());
  }

  @Test
  void aReplyThatIsTooLargeWithItsEnvelopeIsCountedWithIt() {
    Answer refused = site.call(primary, envelope("", notebook("append", "&amp;".repeat(250_000))));
    assertEquals("TooLarge no", fault(refused));
    assertTrue(Long.parseLong(refused.between("The reply has at least ", " bytes")) > 1_250_100, refused.text());
    assertEquals("", text());
  }

  @Test
  void fullGroupRefusesGrowthAndCanBeEmptied() {
    String session = site.openSession();
    // The service's own fault is a short reply; what it appended before is state.
    String grows = notebook("refuse", "x".repeat(40_000));
    assertEquals(500, site.call(primary, envelope(header(session, 1, 1), grows)).status());
    assertEquals("Overloaded no", fault(site.call(primary, envelope(header(session, 2, 1), grows))));
    assertEquals(40_000, text().length());
    clear();
    Answer again = site.call(primary, envelope(header(session, 2, 2), grows));
    assertEquals("executed", again.between("<ur:Status>", "</ur:Status>"));
    assertEquals(40_000, text().length());
  }

  @Test
  void requestWithEvictedReplyIsNotExecutedAgain() {
    String first = envelope(messageId("urn:victim"), notebook("append", "a"));
    assertEquals(200, site.call(primary, first).status());
    for (int i = 0; i < 40; i++) {
      clear();
      assertEquals(200, site.call(primary, envelope(messageId("urn:flood:" + i), notebook("append", "x".repeat(3_000)))).status());
    }
    clear();
    int executed = NotebookService.EXECUTIONS.get();
    assertEquals("ReplyDiscarded yes", fault(site.call(primary, first)));
    assertEquals("ReplyDiscarded yes", fault(site.call(site.backup(), first)));
    site.assertRuns(executed, NotebookService.EXECUTIONS.get());
    assertEquals("", text());
  }

  @Test
  void aClosedSessionNeverOpensAgain() {
    String open = "<OpenSession xmlns=\"urn:understudy:replication:1\"><Nonce>" + "ab".repeat(16) + "</Nonce></OpenSession>";
    String session = session(open).between("<ur:Session>", "</ur:Session>");
    assertEquals(session, session(open).between("<ur:Session>", "</ur:Session>"));
    String request = envelope(header(session, 1, 1), notebook("append", "a"));
    assertEquals(200, site.call(primary, request).status());
    session("<CloseSession xmlns=\"urn:understudy:replication:1\"><Session>" + session + "</Session></CloseSession>");
    assertNotEquals(session, session(open).between("<ur:Session>", "</ur:Session>"));
    assertEquals("SessionExpired no", fault(site.call(primary, request)));
    assertEquals("a", text());
  }

  @Test
  void aVersionHandleOutOfRangeIsABadRequest() {
    String handle = header("<VersionHandle>1." + (1L << 49) + "</VersionHandle>");
    assertEquals("BadRequest no", fault(site.call(site.backup(), envelope(handle, notebook("text", null)))));
    String epoch = header("<Epoch>" + (1L << 49) + "</Epoch>");
    assertEquals("BadRequest no", fault(site.call(site.backup(), envelope(epoch, notebook("text", null)))));
    String await = "<AwaitView xmlns=\"urn:understudy:replication:1\"><Epoch>" + (1L << 62)
        + "</Epoch><HoldSeconds>60</HoldSeconds></AwaitView>";
    byte[] poll = envelope("", await).getBytes(StandardCharsets.UTF_8);
    assertEquals("BadRequest no", fault(site.post(primary, "/replication", poll, "text/xml")));
  }

  private Answer session(String body) {
    Answer answer = site.post(primary, "/replication", envelope("", body).getBytes(StandardCharsets.UTF_8), "text/xml");
    assertEquals(200, answer.status(), answer.text());
    return answer;
  }
}
