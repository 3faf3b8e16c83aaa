package org.understudy.client.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Wherever the header blocks are put in: what is sent is an envelope with one header, and the rest is as it was. */
class EnvelopeTest {
  private static final String SOAP11 = "http://schemas.xmlsoap.org/soap/envelope/";
  private static final String CONSTANT = "<k:Constant xmlns:k=\"urn:k\"/>";
  private static final String BLOCK = "<b:Block xmlns:b=\"urn:b\">1</b:Block>";

  private static String spliced(String envelope) throws IOException {
    // The array is longer than the envelope, as a stream's buffer is.
    byte[] bytes = envelope.getBytes(StandardCharsets.UTF_8);
    byte[] buffer = Arrays.copyOf(bytes, bytes.length + 100);
    buffer[bytes.length] = '<';
    Envelope found = Envelope.of(buffer, bytes.length);
    byte[] constant = CONSTANT.getBytes(StandardCharsets.UTF_8);
    byte[] block = (BLOCK + "<left over from a longer one").getBytes(StandardCharsets.UTF_8);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    found.writeTo(out, constant, block, BLOCK.length());
    assertEquals(found.lengthWith(constant.length + BLOCK.length()), out.size(), "the length that is announced");
    ByteArrayOutputStream again = new ByteArrayOutputStream();
    found.writeTo(again, constant, block, BLOCK.length());
    assertEquals(out.toString(StandardCharsets.UTF_8), again.toString(StandardCharsets.UTF_8), "the next attempt");
    return out.toString(StandardCharsets.UTF_8);
  }

  private static List<Element> children(Node parent) {
    List<Element> children = new ArrayList<>();
    for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
      if (node instanceof Element element) {
        children.add(element);
      }
    }
    return children;
  }

  private static List<String> names(Node parent) {
    return children(parent).stream().map(Node::getLocalName).toList();
  }

  /** Splices, parses, and returns the names of the header blocks. */
  private static List<String> blocks(String envelope) throws Exception {
    DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
    factory.setNamespaceAware(true);
    Element root =
        factory.newDocumentBuilder()
            .parse(new ByteArrayInputStream(spliced(envelope).getBytes(StandardCharsets.UTF_8)))
            .getDocumentElement();
    assertEquals(List.of("Header", "Body"), names(root), envelope);
    Element header = children(root).get(0);
    assertEquals(root.getNamespaceURI(), header.getNamespaceURI(), envelope);
    assertEquals("payload", children(children(root).get(1)).get(0).getLocalName(), envelope);
    return names(header);
  }

  private static String envelope(String prefix, String before) {
    String p = prefix.isEmpty() ? "" : prefix + ":";
    String xmlns = prefix.isEmpty() ? "xmlns" : "xmlns:" + prefix;
    return "<" + p + "Envelope " + xmlns + "=\"" + SOAP11 + "\">" + before + "<" + p + "Body><payload xmlns=\"\">\u20ac</payload></"
        + p + "Body></" + p + "Envelope>";
  }

  @ParameterizedTest
  @ValueSource(strings = {"soap", "", "S", "env-1.x_", "h\u00fclle", "Header", "Envelope"})
  void aHeaderIsMadeWithTheEnvelopesOwnPrefix(String prefix) throws Exception {
    assertEquals(List.of("Constant", "Block"), blocks(envelope(prefix, "")));
  }

  @Test
  void anEmptyHeaderIsUsedHoweverItIsWritten() throws Exception {
    for (String header :
        List.of(
            "<s:Header/>", "<s:Header />", "<s:Header\n/>", "<s:Header></s:Header>", "<s:Header > </s:Header >",
            "<s:Header xmlns:x=\"urn:x\"/>", "<s:Header xmlns:x='urn:x>y/'/>", "<s:Header xmlns:x='urn:x/'></s:Header>",
            "\n  <s:Header/>\n", "<!-- <s:Header> --><s:Header/>", "<!----><!-- > --><s:Header/>")) {
      assertEquals(List.of("Constant", "Block"), blocks(envelope("s", header)), header);
    }
  }

  @Test
  void insertedBlocksPrecedeExistingOnes() throws Exception {
    String header = "<s:Header xmlns:a=\"urn:a\"><a:Action>x</a:Action><a:To/></s:Header>";
    assertEquals(List.of("Constant", "Block", "Action", "To"), blocks(envelope("s", header)));
  }

  @Test
  void aHeaderUnderAnotherPrefixOfTheSameNamespaceIsTheHeader() throws Exception {
    String header = "<t:Header xmlns:t=\"" + SOAP11 + "\"><a:To xmlns:a=\"urn:a\"/></t:Header>";
    assertEquals(List.of("Constant", "Block", "To"), blocks(envelope("s", header)));
    assertEquals(List.of("Constant", "Block"), blocks(envelope("s", "<t:Header xmlns:t=\"" + SOAP11 + "\"/>")));
  }

  @Test
  void aBlockOrPayloadThatIsCalledHeaderIsNotTheHeader() throws Exception {
    String envelope = "<s:Envelope xmlns:s=\"" + SOAP11 + "\"><s:Body><payload><s:Header/></payload></s:Body></s:Envelope>";
    assertEquals(List.of("Constant", "Block"), blocks(envelope));
    String headers = "<s:Header><x:Headers xmlns:x=\"urn:x\"/></s:Header>";
    assertEquals(List.of("Constant", "Block", "Headers"), blocks(envelope("s", headers)));
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<?xml version='1.0'?>\n<!-- a note -->\n", "\ufeff", "<?a b>c?>"
  })
  void bytesBeforeTheEnvelopeAreKept(String before) throws Exception {
    String envelope = envelope("s", "");
    assertTrue(spliced(before + envelope).startsWith(before + "<s:Envelope"), before);
    assertEquals(List.of("Constant", "Block"), blocks(before + envelope));
  }

  @Test
  void headerAfterAnInstructionIsFound() throws Exception {
    assertEquals(List.of("Constant", "Block"), blocks(envelope("s", "<?note a>b?><s:Header/>")));
    assertEquals(List.of("Constant", "Block"), blocks(envelope("s", "<?note a>b?>")));
  }

  @Test
  void aMultipartMessageIsSplicedInItsRoot() throws Exception {
    String envelope = envelope("soap", "<soap:Header><x/></soap:Header>");
    String before = "\r\n--uuid:1\r\nContent-Type: application/xop+xml; charset=UTF-8; type=\"text/xml\"\r\n"
        + "Content-ID: <root.message@cxf.apache.org>\r\n\r\n";
    String after = "\r\n--uuid:1\r\nContent-ID: <1@x>\r\n\r\n<soap:Envelope><soap:Header/>\u0000\r\n--uuid:1--";
    String sent = spliced(before + envelope + after);
    assertTrue(sent.startsWith(before) && sent.endsWith(after), sent);
    assertTrue(sent.contains("<soap:Header>" + CONSTANT + BLOCK + "<x/>"), sent);
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "<", "<Envelope", "no XML", "<s:Envelopes/>", "<s:NoEnvelope xmlns:s='x'/>", "<s:Envelope", "<s:Envelope>",
    "<s:Envelope a=\">", "<s:Envelope><!-- ", "<s:Envelope><s:Header", "<s:Envelope><s:Header a='>'"
  })
  void invalidEnvelopeIsRefusedWithASentence(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> Envelope.of(bytes, bytes.length), text);
    assertTrue(refused.getMessage().startsWith("The request"), refused.getMessage());
  }

  @Test
  void anotherEncodingOrCompressionIsRefused() {
    byte[] utf16 = envelope("s", "").getBytes(StandardCharsets.UTF_16);
    assertThrows(IllegalArgumentException.class, () -> Envelope.of(utf16, utf16.length));
    byte[] gzip = {0x1f, (byte) 0x8b, 8, 0, 0, 0, 0, 0, 0, 0};
    assertThrows(IllegalArgumentException.class, () -> Envelope.of(gzip, gzip.length));
  }
}
