package org.understudy.container.interceptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import jakarta.activation.DataHandler;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.xml.stream.XMLStreamReader;
import org.apache.cxf.attachment.AttachmentImpl;
import org.apache.cxf.attachment.ByteDataSource;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;
import org.apache.cxf.message.MessageImpl;
import org.apache.cxf.staxutils.StaxUtils;
import org.junit.jupiter.api.Test;

/** The digest of a request as the service's stack reads it. */
class BodyDigestTest {

  private static Attachment part(String id, String content) {
    return new AttachmentImpl(
        id, new DataHandler(new ByteDataSource(content.getBytes(StandardCharsets.UTF_8), "image/png")));
  }

  private static String digest(String content, Attachment... parts) throws Exception {
    Message message = new MessageImpl();
    message.setAttachments(new ArrayList<>(List.of(parts)));
    XMLStreamReader in =
        StaxUtils.createXMLStreamReader(new StringReader("<Body><n:put xmlns:n=\"urn:n\">" + content + "</n:put></Body>"));
    in.nextTag();
    in.nextTag();
    return HexFormat.of().formatHex(new BodyDigest(in, new AttachedContent(message)).complete());
  }

  private static String include(String id) {
    return "<xop:Include xmlns:xop=\"http://www.w3.org/2004/08/xop/include\" href=\"cid:" + id + "\"/>";
  }

  @Test
  void idsThatAreMadeForEachAttemptDoNotCount() throws Exception {
    assertEquals(digest(include("a@x"), part("a@x", "A")), digest(include("bb%40x"), part("bb@x", "A")));
    assertEquals(
        digest("<r>cid:a</r><r>cid:b</r>", part("a", "A"), part("b", "B")),
        digest("<r>cid:c</r><r>cid:d</r>", part("c", "A"), part("d", "B")));
    assertEquals(digest("<r at=\"cid:a\"/>", part("a", "A")), digest("<r at=\"cid:b\"/>", part("b", "A")));
  }

  @Test
  void contentAndOrderOfReferencesCount() throws Exception {
    String digest = digest("<r>cid:a</r><r>cid:b</r>", part("a", "A"), part("b", "B"));
    assertNotEquals(digest, digest("<r>cid:b</r><r>cid:a</r>", part("a", "A"), part("b", "B")));
    assertNotEquals(digest, digest("<r>cid:a</r><r>cid:b</r>", part("a", "B"), part("b", "A")));
    assertNotEquals(digest, digest("<r>cid:a</r><r>cid:a</r>", part("a", "A"), part("b", "B")));
    assertNotEquals(digest, digest("<r>cid:a</r><r>cid:b</r>", part("a", "A"), part("b", "B"), part("c", "")));
    assertNotEquals(digest("<r>A</r>", part("a", "A")), digest("<r>cid:a</r>", part("a", "A")));
  }

  @Test
  void aTextThatNamesNoPartCounts() throws Exception {
    assertNotEquals(digest("<r>cid:x</r>", part("a", "A")), digest("<r>cid:y</r>", part("a", "A")));
    assertNotEquals(digest("<r>cid:x%</r>", part("a", "A")), digest("<r>cid:y%</r>", part("a", "A")));
    assertNotEquals(digest("<r>see cid:a</r>", part("a", "A")), digest("<r>see cid:b</r>", part("b", "A")));
  }

  /** Replicas of the version before compare it during a rolling upgrade. */
  @Test
  void aRequestWithoutAttachmentsKeepsItsDigest() throws Exception {
    assertEquals(
        "c528251cf0dfe2f0dec7dfc205edb8800ed33b9715a7f4d2b494004f0373b725",
        digest("<r at=\"cid:a\">cid:a</r>" + include("a")));
  }
}
