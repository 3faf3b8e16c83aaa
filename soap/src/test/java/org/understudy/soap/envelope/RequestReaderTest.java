package org.understudy.soap.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.understudy.soap.xml.HardenedXmlReader;

class RequestReaderTest {
  private static final QName OURS = new QName("urn:x", "Ours");
  private static final String WSA = "http://www.w3.org/2005/08/addressing";

  private static RequestReader reader(String document) throws XMLStreamException {
    byte[] bytes = document.getBytes(UTF_8);
    return RequestReader.withScope(HardenedXmlReader.openBounded(bytes, bytes.length), SoapVersion.SOAP12, Set.of(OURS));
  }

  private static String envelope(SoapVersion version, String header, String body) {
    return "<e:Envelope xmlns:e='" + version.namespace() + "' xmlns:x='urn:x' xmlns:a='" + WSA + "'><e:Header>" + header
        + "</e:Header><e:Body xmlns:y='urn:y'>" + body + "</e:Body></e:Envelope>";
  }

  private static void read(RequestReader request, RequestReader.KnownBlock block) throws BadEnvelopeException {
    request.readHeader(block);
    request.readOperation();
  }

  private static BadEnvelopeException refused(String document) throws XMLStreamException {
    RequestReader request = reader(document);
    return assertThrows(BadEnvelopeException.class, () -> read(request, block -> {}), document);
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void operationIsTheElementInTheBody(SoapVersion version) throws Exception {
    List<String> read = new ArrayList<>();
    RequestReader request =
        reader(envelope(version, "<other/><x:Ours><deep><er/></deep></x:Ours><a:MessageID>urn:1</a:MessageID><x:Ours/>", "<y:op/>"));
    read(request, block -> read.add(block.getLocalName()));
    assertEquals(List.of("Ours", "Ours"), read);
    assertEquals(version, request.version());
    assertEquals(new QName("urn:y", "op"), request.operation());
    assertEquals("urn:1", request.properties().messageId());
    assertEquals(Set.of("e", "x", "a", "y"), request.scope().keySet());
    request.readToEnd();
  }

  @Test
  void headerBlockCanBeReadInPart() throws Exception {
    RequestReader request = reader(envelope(SoapVersion.SOAP11, "<x:Ours><one/><two/></x:Ours><a:To>urn:t</a:To>", "<y:op/>"));
    read(request, block -> {
      block.nextTag();
      assertEquals("one", block.getLocalName());
    });
    assertTrue(request.properties().used());
    assertEquals("op", request.operation().getLocalPart());
  }

  @Test
  void emptyBodyHasNoOperation() throws Exception {
    RequestReader request = reader("<Envelope xmlns='" + SoapVersion.SOAP11.namespace() + "'><Body/></Envelope>");
    request.readHeader(block -> {});
    assertNull(request.readOperation());
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "", "<a/>", "<e:Envelope xmlns:e='urn:other'><e:Body/></e:Envelope>", "<!DOCTYPE x><x/>",
    "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Header/><Header/><Body/></Envelope>",
    "<Envelope xmlns='http://schemas.xmlsoap.org/soap/envelope/'><Header><a>", "no"
  })
  void invalidEnvelopeIsRefusedInItsOrTheAnnouncedVersion(String document) throws XMLStreamException {
    BadEnvelopeException refused = refused(document);
    assertEquals(document.startsWith("<Envelope") ? SoapVersion.SOAP11 : SoapVersion.SOAP12, refused.version());
  }

  @Test
  void unknownBlocksThatMustBeUnderstoodAreReported() throws Exception {
    RequestReader request =
        reader(envelope(SoapVersion.SOAP12, "<x:Theirs e:mustUnderstand='true'/><x:Ours e:mustUnderstand='1'/>", "<y:op/>"));
    read(request, block -> {});
    assertEquals(List.of(new QName("urn:x", "Theirs")), request.notUnderstood());
  }

  @Test
  void refusalRelatesToTheMessage() throws XMLStreamException {
    String id = "<a:MessageID>urn:1</a:MessageID>";
    RequestReader request = reader(envelope(SoapVersion.SOAP11, id + "<x:Ours/>", "<y:op/>"));
    BadEnvelopeException invalid =
        assertThrows(BadEnvelopeException.class, () -> request.readHeader(block -> {
          throw new IllegalArgumentException("a number is negative.");
        }));
    assertEquals("A header block is invalid: a number is negative.", invalid.getMessage());
    assertEquals("urn:1", invalid.properties().messageId());
    assertEquals(SoapVersion.SOAP11, invalid.version());
  }
}
