package org.understudy.soap.mime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.soap.envelope.BadEnvelopeException;

/** A request's text is the same for the plugin and the service, or it is refused; nothing is read as something else. */
class TranscodingTest {
  private static final String TEXT = "<a>\u00e4\u00ff</a>";
  private static final byte[] UTF8 = TEXT.getBytes(StandardCharsets.UTF_8);

  private static String read(byte[] bytes, String contentType) throws BadEnvelopeException {
    return new String(Transcoding.utf8(bytes, contentType), StandardCharsets.UTF_8);
  }

  private static String read(String text, String charset, String contentType) throws BadEnvelopeException {
    return read(text.getBytes(Charset.forName(charset)), contentType);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {
    "text/xml", "text/xml; charset=utf-8", "text/xml;charset=\"UTF-8\"", "text/xml; charset='utf-8'",
    "text/xml; charset=us-ascii", "application/soap+xml; charset=utf-8; action=\"urn:x\"", "text/xml; CHARSET=Utf-8",
    "text/xml; charset = utf-8"
  })
  void utf8IsReturnedUnchanged(String contentType) throws BadEnvelopeException {
    assertSame(UTF8, Transcoding.utf8(UTF8, contentType));
  }

  @ParameterizedTest
  @CsvSource({
    "ISO-8859-1, text/xml; charset=iso-8859-1",
    "ISO-8859-1, text/xml; charset=ISO-8859-1; action=x",
    "UTF-16BE, text/xml; charset=utf-16be",
    "UTF-16LE, text/xml; charset=utf-16le",
    "UTF-16, text/xml; charset=utf-16",
    "UTF-16BE, text/xml; charset=utf-16",
    "UTF-16BE, text/xml",
    "UTF-16LE, text/xml",
    "UTF-16, text/xml"
  })
  void otherCharsetsAreConvertedToUtf8(String charset, String contentType) throws BadEnvelopeException {
    assertEquals(TEXT, read(TEXT, charset, contentType));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-8", "UTF-16BE", "UTF-16LE"})
  void byteOrderMarkIsRemoved(String charset) throws BadEnvelopeException {
    assertEquals(TEXT, read("\ufeff" + TEXT, charset, "text/xml"));
    assertEquals(TEXT, read("\ufeff" + TEXT, charset, "text/xml; charset=" + charset));
    String inside = TEXT + "\ufeff";
    assertEquals(inside, read("\ufeff" + inside, charset, "text/xml"), "only one, and only the first");
  }

  @ParameterizedTest
  @CsvSource(quoteCharacter = '`', value = {
    "<?xml version='1.0' encoding='iso-8859-1'?>",
    "<?xml version=\"1.0\" encoding=\"ISO-8859-1\" standalone=\"yes\"?>",
    "<?xml version='1.0' encoding = \"iso-8859-1\" ?>"
  })
  void declarationDeterminesTheCharsetWithoutAHeader(String declaration) throws BadEnvelopeException {
    assertEquals(declaration + TEXT, read(declaration + TEXT, "ISO-8859-1", "text/xml"));
    assertEquals(declaration + TEXT, read(declaration + TEXT, "UTF-8", "text/xml; charset=utf-8"), "the header goes before");
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<?xml version='1.0'?>", "<?xml version='1.0' encoding='utf-8'?>", "<?xml version='1.0' encoding=", "<?xml encoding='utf-8"
  })
  void declarationWithoutCharsetMeansUtf8(String declaration) throws BadEnvelopeException {
    assertEquals(declaration + TEXT, read(declaration + TEXT, "UTF-8", "text/xml"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"utf-7", "utf-32", "ebcdic-cp-us", "windows-1252", "", "utf8x"})
  void unsupportedCharsetIsRefused(String charset) {
    String sentence = assertThrows(BadEnvelopeException.class, () -> read(UTF8, "text/xml; charset=" + charset)).getMessage();
    assertTrue(sentence.contains("charset"), sentence);
    String declared = "<?xml version='1.0' encoding='" + charset + "'?>" + TEXT;
    assertThrows(BadEnvelopeException.class, () -> read(declared, "UTF-8", "text/xml"));
  }

  /** The action of SOAP 1.2 is any text; what looks like a parameter in it is none. */
  @Test
  void charsetInsideAQuotedParameterIsIgnored() throws BadEnvelopeException {
    String action = "application/soap+xml; action=\"urn:x;charset=iso-8859-1\"";
    assertEquals(TEXT, read(UTF8, action));
    assertEquals(TEXT, read(UTF8, action + "; charset=utf-8"));
    assertEquals(TEXT, read(UTF8, "application/soap+xml; x-charset=iso-8859-1"));
  }

  @Test
  void bytesInvalidInTheirCharsetAreRefused() {
    byte[] odd = {0, '<', 0, 'a', 0};
    assertThrows(BadEnvelopeException.class, () -> read(odd, "text/xml; charset=utf-16be"), "half a character");
    byte[] lone = {(byte) 0xd8, 0, 0, '<'};
    assertThrows(BadEnvelopeException.class, () -> read(lone, "text/xml; charset=utf-16be"), "half a pair");
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"text/xml", "text/xml; charset=utf-16"})
  void emptyRequestStaysEmpty(String contentType) throws BadEnvelopeException {
    assertEquals("", read(new byte[0], contentType));
  }

  @ParameterizedTest
  @CsvSource({
    "text/xml, true", "TEXT/XML ;charset=x, true", "application/soap+xml, true", "application/xml, true", "'', false",
    "text/html, false", "application/json, false", "multipart/related, false", "text/xml2, false", "xml, false"
  })
  void onlyXmlTypesCanBeEnvelopes(String contentType, boolean xml) {
    assertEquals(xml, Transcoding.isXml(contentType));
  }

  @Test
  void missingContentTypeIsRefused() {
    assertFalse(Transcoding.isXml(null));
    assertFalse(Transcoding.isXml("text/plain"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"UTF-16", "UTF-16BE", "UTF-16LE", "ISO-8859-1"})
  void longTextsAreConverted(String charset) throws BadEnvelopeException {
    String unit = charset.startsWith("UTF") ? "\ud83d\ude00\u20ac\u00e9x" : "\u00e9x";
    for (String start : new String[] {"<", "<a"}) {
      String text = start + unit.repeat(9_000);
      assertEquals(text, read(text, charset, "text/xml; charset=" + charset));
    }
  }

  @Test
  void aTextThatEndsWithinACharacterIsRefused() {
    byte[] cut = ("<" + "x".repeat(10_000)).getBytes(StandardCharsets.UTF_16LE);
    assertThrows(BadEnvelopeException.class, () -> Transcoding.utf8(Arrays.copyOf(cut, cut.length - 1), "text/xml; charset=utf-16le"));
    byte[] half = ("<" + "x".repeat(10_000) + "\ud83d\ude00").getBytes(StandardCharsets.UTF_16BE);
    assertThrows(BadEnvelopeException.class, () -> Transcoding.utf8(Arrays.copyOf(half, half.length - 2), "text/xml; charset=utf-16be"));
  }
}
