package org.understudy.soap.mime;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.soap.envelope.SoapVersion;

class MultipartTest {
  private static final String TYPE = "multipart/related; boundary=\"b\"; start=\"<root>\"";
  private static final String ATTACHMENT = "Content-ID: <1>\r\n\r\n\u0000\r\n--not the boundary\u00ff";
  private static final String ROOT = "Content-Type: application/xop+xml\r\nContent-ID: <root>\r\n\r\n<e/>";
  private static final String MESSAGE = "preamble\r\n--b\r\n" + ATTACHMENT + "\r\n--b \r\n" + ROOT + "\r\n--b--\r\nepilogue";

  private static Multipart read(String message) {
    byte[] bytes = message.getBytes(ISO_8859_1);
    return Multipart.read(bytes, bytes.length, TYPE);
  }

  @Test
  void rootIsThePartNamedByStart() {
    Multipart parts = read(MESSAGE);
    assertEquals("<e/>", new String(parts.root(), ISO_8859_1));
    assertEquals("application/xop+xml", parts.rootType());
    assertEquals(1, parts.attachments().size());
    assertEquals(ATTACHMENT, new String(parts.attachments().get(0), ISO_8859_1));
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void writtenMessageHasTheRootFirst(SoapVersion version) {
    Multipart.Written written = read(MESSAGE).write("<f/>".getBytes(ISO_8859_1), version);
    assertTrue(written.contentType().contains("start-info=\"" + version.mediaType() + "\""), written.contentType());
    Multipart again = Multipart.read(written.bytes(), written.bytes().length, written.contentType());
    assertEquals("<f/>", new String(again.root(), ISO_8859_1));
    assertEquals(ATTACHMENT, new String(again.attachments().get(0), ISO_8859_1));
  }

  @Test
  void packedMessageIsUnpackedWithItsNewRoot() {
    byte[] packed = read(MESSAGE).pack("<f/>".getBytes(ISO_8859_1));
    Multipart again = Multipart.unpack(packed);
    assertEquals("<f/>", new String(again.root(), ISO_8859_1));
    assertArrayEquals(ATTACHMENT.getBytes(ISO_8859_1), again.attachments().get(0));
    assertEquals("application/xop+xml", again.rootType());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "no boundary", "--b--\r\n", "--b\r\n\r\n<e/>", "--bx\r\n\r\n<e/>\r\n--b--", "--b\r\nContent-ID: <root>\r\n<e/>\r\n--b--",
    "--b\r\nContent-ID: <other>\r\n\r\n<e/>\r\n--b--",
    "--b\r\nContent-ID: <root>\r\nContent-Transfer-Encoding: base64\r\n\r\nPGUvPg==\r\n--b--"
  })
  void messageWithoutItsAnnouncedPartsIsRefused(String message) {
    assertThrows(IllegalArgumentException.class, () -> read(message));
  }
}
