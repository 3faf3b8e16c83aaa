package org.understudy.soap.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.HardenedXmlReader;

class ReferenceReaderTest {
  private static final String START = "<r xmlns='urn:r' xmlns:a='http://www.w3.org/2005/08/addressing'>";
  private static final String PLAIN =
      START + "<a:Address> http://h/s </a:Address><a:ReferenceParameters><p xmlns='urn:p' a:IsReferenceParameter='true'>1</p>"
          + "</a:ReferenceParameters></r>";
  private static final String PARAMETER =
      "<p xmlns:a=\"http://www.w3.org/2005/08/addressing\" xmlns=\"urn:p\">1</p>";

  private static XMLStreamReader2 open(String document) throws XMLStreamException {
    byte[] bytes = document.getBytes(UTF_8);
    XMLStreamReader2 in = HardenedXmlReader.openBounded(bytes, bytes.length);
    in.nextTag();
    return in;
  }

  @Test
  void addressAndParametersAreReadFromStreamsAndTrees() throws XMLStreamException {
    EndpointReference expected = new EndpointReference(URI.create("http://h/s"), List.of(PARAMETER));
    assertEquals(expected, ReferenceReader.read(open(PLAIN), Map.of()));
    assertEquals(expected, ReferenceReader.readWhole(open(PLAIN), Map.of()));
    assertEquals(expected.address(), ReferenceReader.read(Elements.read(PLAIN)).address());
    assertEquals(1, ReferenceReader.read(Elements.read(PLAIN)).referenceParameters().size());
  }

  @Test
  void referenceWithExtensionsIsKeptAsWritten() throws XMLStreamException {
    String more = START + "<a:Address>http://h/s</a:Address><a:Metadata><m/></a:Metadata></r>";
    Optional<String> written = ReferenceReader.readWhole(open(more), Map.of()).written();
    assertTrue(written.orElseThrow().contains("<a:Metadata><m/></a:Metadata>"), written.toString());
    assertEquals(Optional.empty(), ReferenceReader.read(open(more), Map.of()).written());
  }

  @ParameterizedTest
  @CsvSource(delimiter = '|', value = {
    "<x/>|The r has no wsa:Address.",
    "<a:Address>http://h/ s</a:Address>|The address in the r is not a URI.",
    "<a:Address>http://h/</a:Address><a:ReferenceParameters><a:To/></a:ReferenceParameters>"
        + "|A reference parameter may not be an element of SOAP or WS-Addressing."
  })
  void unusableReferenceIsReadToItsEnd(String content, String why) throws XMLStreamException {
    XMLStreamReader2 in = open(START + content + "</r>");
    assertEquals(
        why, assertThrows(IllegalArgumentException.class, () -> ReferenceReader.read(in, Map.of())).getMessage());
    assertTrue(in.isEndElement() && in.getLocalName().equals("r"));
  }
}
