package org.understudy.container.invoker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.wss4j.common.WSEncryptionPart;
import org.junit.jupiter.api.Test;
import org.understudy.container.ServiceCluster;
import org.understudy.container.Soap;
import org.understudy.container.service.NotebookService;
import org.understudy.container.service.SealedNotebookService;
import org.understudy.test.cluster.Answer;
import org.understudy.test.strategy.ForEachStrategy;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** A service whose messages are signed and encrypted, attacked with its own messages. */
@ForEachStrategy
class WsSecurityHttpTest {
  private static final String TYPE = "text/xml; charset=UTF-8";
  private static final WSEncryptionPart SIGNED_HEADER =
      new WSEncryptionPart("ReplicationHeader", "urn:understudy:replication:1", "Element");
  private static final WSEncryptionPart TRACE = new WSEncryptionPart("Trace", "urn:trace", "Element");
  private static final String TRACED = "<t:Trace xmlns:t=\"urn:trace\">1</t:Trace>";

  private static ServiceCluster open() throws Exception {
    return ServiceCluster.shared(SealedNotebookService.class, 3, Map.of());
  }

  private static String append(String headers, String text) {
    return Soap.envelope(headers, Soap.notebook("append", text));
  }

  private static Answer post(ServiceCluster site, int replica, byte[] envelope) {
    return site.post(replica, site.service(), envelope, TYPE);
  }

  private static String signature(Answer answer) {
    return answer.text().replaceAll("(?s).*<(?:\\w+:)?SignatureValue>([^<]*)<.*", "$1");
  }

  private static void assertIsSealed(Answer answer) {
    assertEquals(200, answer.status(), answer.text());
    assertTrue(answer.text().contains("EncryptedData"), answer.text());
    assertFalse(answer.text().contains("<return>"), answer.text());
    assertTrue(Pattern.compile("SignatureValue").matcher(answer.text()).find(), answer.text());
  }

  @Test
  void aRequestThatIsSignedAnewIsExecutedOnceAndItsReplySignedAnew() throws Exception {
    try (ServiceCluster site = open()) {
      String envelope = append(Soap.header(site.openSession(), 1, 1), "secret");
      int before = NotebookService.EXECUTIONS.get();
      Answer first = post(site, site.primary(), SealedMessage.of("alice", envelope));
      assertIsSealed(first);
      Answer second = post(site, site.primary(), SealedMessage.of("alice", envelope));
      assertIsSealed(second);
      assertTrue(second.text().contains(">replayed<"), second.text());
      assertNotEquals(signature(first), signature(second));
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void theSameBytesAreRefusedByTheReplayCacheAndNotAnswered() throws Exception {
    try (ServiceCluster site = open()) {
      byte[] message = SealedMessage.of("alice", append(Soap.header(site.openSession(), 1, 1), "secret"));
      int before = NotebookService.EXECUTIONS.get();
      assertIsSealed(post(site, site.primary(), message));
      Answer again = post(site, site.primary(), message);
      // The fault cannot be encrypted for a sender who is not verified.
      assertEquals(403, again.status(), again.text());
      assertFalse(again.text().contains("replayed"), again.text());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void anotherClientGetsNothingByTheIdentityOfARequest() throws Exception {
    try (ServiceCluster site = open()) {
      String envelope = append(Soap.header(site.openSession(), 1, 1), "secret");
      int before = NotebookService.EXECUTIONS.get();
      assertIsSealed(post(site, site.primary(), SealedMessage.of("alice", envelope)));
      Answer other = post(site, site.primary(), SealedMessage.of("bob", envelope));
      assertEquals(500, other.status(), other.text());
      assertTrue(other.text().contains("DigestMismatch"), other.text());
      Answer unsigned = post(site, site.primary(), envelope.getBytes(StandardCharsets.UTF_8));
      assertEquals(403, unsigned.status(), unsigned.text());
      assertFalse(unsigned.text().contains("replayed"), unsigned.text());
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void messageOfAPlainClientIsForwardedUnchanged() throws Exception {
    try (ServiceCluster site = open()) {
      int before = NotebookService.EXECUTIONS.get();
      String envelope = append(Soap.messageId("urn:sealed:1"), "forwarded");
      for (int replica = 1; replica <= 3; replica++) {
        assertIsSealed(post(site, replica, SealedMessage.of("alice", envelope)));
      }
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  @Test
  void aFaultOfTheServiceIsSealedAndStored() throws Exception {
    try (ServiceCluster site = open()) {
      String envelope =
          Soap.envelope(Soap.header(site.openSession(), 1, 1), Soap.notebook("refuse", "secret"));
      int before = NotebookService.EXECUTIONS.get();
      for (int attempt = 1; attempt <= 2; attempt++) {
        Answer answer = post(site, site.primary(), SealedMessage.of("alice", envelope));
        assertEquals(500, answer.status(), answer.text());
        assertTrue(answer.text().contains("EncryptedData"), answer.text());
        assertFalse(answer.text().contains("No &lt;more"), answer.text());
        assertTrue(answer.text().contains(attempt == 1 ? ">executed<" : ">replayed<"), answer.text());
      }
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  private static void assertIsRejected(Answer answer) {
    assertTrue(answer.status() == 403 || answer.status() == 500, answer.status() + answer.text());
    assertFalse(answer.text().contains(">executed<"), answer.text());
    assertFalse(answer.text().contains(">replayed<"), answer.text());
  }

  @Test
  void aSignedIdentityCannotBeReplacedOrMoved() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      int before = NotebookService.EXECUTIONS.get();
      String envelope = append(TRACED + Soap.header(session, 1, 1), "secret");
      Document changed = SealedMessage.sealed("alice", envelope, SIGNED_HEADER);
      block(changed, "Sequence").setTextContent("2");
      assertIsRejected(post(site, site.primary(), SealedMessage.bytes(changed)));

      // The signed block is moved into another one, where it is still found by its id; a forged one takes its place.
      Document moved = SealedMessage.sealed("alice", envelope, SIGNED_HEADER, TRACE);
      move(block(moved, "ReplicationHeader")).appendChild(
          moved.importNode(SealedMessage.parse(Soap.header(session, 2, 1)).getDocumentElement(), true));
      assertIsRejected(post(site, site.primary(), SealedMessage.bytes(moved)));
      assertEquals(0, NotebookService.EXECUTIONS.get() - before);

      // All signatures of such a message are valid.
      Document alone = SealedMessage.sealed("alice", envelope, SIGNED_HEADER, TRACE);
      move(block(alone, "ReplicationHeader"));
      assertIsSealed(post(site, site.primary(), SealedMessage.bytes(alone)));
    }
  }

  /** Returns the Header. */
  private static Node move(Element block) {
    Node header = block.getParentNode();
    Element wrapper = block.getOwnerDocument().createElementNS("urn:other", "o:Wrapper");
    header.replaceChild(wrapper, block);
    wrapper.appendChild(block);
    return header;
  }

  @Test
  void whoSignsHeaderBlocksSignsTheIdentityToo() throws Exception {
    try (ServiceCluster site = open()) {
      String session = site.openSession();
      int before = NotebookService.EXECUTIONS.get();
      String envelope = append(TRACED + Soap.header(session, 1, 1), "secret");
      assertIsRejected(post(site, site.primary(), SealedMessage.of("alice", envelope, TRACE)));
      assertEquals(0, NotebookService.EXECUTIONS.get() - before);
      assertIsSealed(post(site, site.primary(), SealedMessage.of("alice", envelope, TRACE, SIGNED_HEADER)));
      site.assertRuns(1, NotebookService.EXECUTIONS.get() - before);
    }
  }

  private static Element block(Document message, String name) {
    return (Element) message.getElementsByTagNameNS("urn:understudy:replication:1", name).item(0);
  }
}
