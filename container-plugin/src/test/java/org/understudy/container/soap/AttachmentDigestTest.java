package org.understudy.container.soap;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.understudy.soap.mime.RequestMessage;

/** The digest of a request with attachments before the service's stack has read it. */
class AttachmentDigestTest {
  private static final String TYPE = "multipart/related; type=\"application/xop+xml\"; boundary=\"b\"; start=\"<root>\"";
  private static final String ENVELOPE =
      "<s:Envelope xmlns:s=\"http://schemas.xmlsoap.org/soap/envelope/\"><s:Body><n:put xmlns:n=\"urn:n\">%s</n:put></s:Body>"
          + "</s:Envelope>";

  private static final long DIGEST_WITHOUT_ATTACHMENTS = -3085549203171049399L;

  private static String include(String id) {
    return "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:" + id + "\"/>";
  }

  private static String reference(String id) {
    return "<r>cid:" + id + "</r>";
  }

  private static String part(String id, String content) {
    return "Content-Type: image/png\r\nContent-ID: <" + id + ">\r\n\r\n" + content;
  }

  private static long digest(String body, String... parts) throws Exception {
    StringBuilder text = new StringBuilder("--b\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n")
        .append("Content-ID: <root>\r\n\r\n").append(ENVELOPE.formatted(body));
    for (String part : parts) {
      text.append("\r\n--b\r\n").append(part);
    }
    byte[] bytes = text.append("\r\n--b--\r\n").toString().getBytes(StandardCharsets.UTF_8);
    return EnvelopeReader.read(RequestMessage.of(bytes, TYPE), TYPE).digest();
  }

  @Test
  void idsThatAreMadeForEachAttemptDoNotCount() throws Exception {
    assertEquals(
        digest(include("a-1@x") + include("b-2@x"), part("a-1@x", "A"), part("b-2@x", "B")),
        digest(include("long-a-33@x") + include("long-b-34@x"), part("long-a-33@x", "A"), part("long-b-34@x", "B")));
    assertEquals(digest(reference("a-1@x"), part("a-1@x", "A")), digest(reference("b-22%40x"), part("b-22@x", "A")));
  }

  @Test
  void contentAndFieldsOfAttachmentsCount() throws Exception {
    long digest = digest(include("a"), part("a", "A"));
    assertNotEquals(digest, digest(include("a"), part("a", "B")));
    assertNotEquals(digest, digest(include("a"), part("a", "A").replace("png", "gif")));
    assertNotEquals(digest, digest(include("a"), part("a", "A"), part("b", "B")));
    assertNotEquals(
        digest(include("a"), part("a", "AB"), part("b", "")), digest(include("a"), part("a", "A"), part("b", "B")));
  }

  @Test
  void orderOfReferencesAndOfPartsCounts() throws Exception {
    String a = part("a", "A");
    String b = part("b", "B");
    long digest = digest(include("a") + include("b"), a, b);
    assertNotEquals(digest, digest(include("b") + include("a"), a, b));
    assertNotEquals(digest, digest(include("a") + include("a"), a, b));
    assertNotEquals(digest, digest(include("a") + include("b"), part("a", "B"), part("b", "A")));
  }

  @Test
  void aTextThatNamesNoPartCounts() throws Exception {
    assertNotEquals(digest(reference("x1"), part("a", "A")), digest(reference("x2"), part("a", "A")));
    assertNotEquals(digest(reference("a"), part("a", "A")), digest(reference("0"), part("a", "A")));
    assertNotEquals(digest("<r>see cid:a</r>", part("a", "A")), digest("<r>see cid:b</r>", part("b", "A")));
    assertNotEquals(digest("<r>cid:ab</r>", part("a", "A")), digest("<r>cid:bb</r>", part("b", "A")));
    assertNotEquals(digest("<r>cid:100%</r>", part("a", "A")), digest("<r>cid:101%</r>", part("a", "A")));
  }

  @Test
  void anAmbiguousIdCounts() throws Exception {
    assertNotEquals(
        digest(include("a"), part("a", "A"), part("a", "B")), digest(include("a"), part("a", "A"), part("b", "B")));
    assertNotEquals(
        digest(include("a"), part("a", "A"), part("a", "B")), digest(include("b"), part("b", "A"), part("b", "B")));
  }

  /** Replicas of the version before compare it during a rolling upgrade. */
  @Test
  void aRequestWithoutAttachmentsKeepsItsDigest() throws Exception {
    byte[] bytes = ENVELOPE.formatted(reference("a")).getBytes(StandardCharsets.UTF_8);
    assertEquals(DIGEST_WITHOUT_ATTACHMENTS, EnvelopeReader.read(bytes, bytes.length, "text/xml").digest());
    assertEquals(DIGEST_WITHOUT_ATTACHMENTS, digest(reference("a")));
  }
}
