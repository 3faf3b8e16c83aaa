package org.understudy.soap.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.junit.jupiter.api.Test;
import org.understudy.soap.xml.HardenedXmlReader;

class FaultReaderTest {
  private static final String SOAP12 =
      "<s:Fault xmlns:s='http://www.w3.org/2003/05/soap-envelope'><s:Code><s:Value>s:Sender</s:Value><s:Subcode>"
          + "<s:Value>s:Receiver</s:Value></s:Subcode></s:Code><s:Reason><s:Text xml:lang='en'>No.</s:Text>"
          + "<s:Text xml:lang='de'>Nein.</s:Text></s:Reason><s:Role>urn:r</s:Role><s:Detail>text <a><deep><a/></deep></a> between"
          + "<!-- --><b>b</b></s:Detail></s:Fault>";

  private static XMLStreamReader2 open(String document) throws XMLStreamException {
    byte[] bytes = document.getBytes(UTF_8);
    XMLStreamReader2 in = HardenedXmlReader.openBounded(bytes, bytes.length);
    in.nextTag();
    return in;
  }

  @Test
  void detailsAreReturnedOneByOne() throws XMLStreamException {
    for (int steps = 0; steps < 3; steps++) {
      XMLStreamReader2 in = open(SOAP12);
      FaultReader fault = new FaultReader(in, SoapVersion.SOAP12);
      List<String> details = new ArrayList<>();
      while (fault.nextDetail()) {
        details.add(in.getLocalName());
        for (int i = 0; i < steps && details.size() == 1; i++) {
          in.next();
        }
      }
      assertEquals(List.of("a", "b"), details);
      assertEquals(SoapFault.Code.SENDER, fault.code());
      assertEquals("No.", fault.reason());
      assertTrue(in.isEndElement() && in.getLocalName().equals("Fault"));
    }
  }

  @Test
  void codeAndReasonOfSoap11HaveNoNamespace() throws XMLStreamException {
    XMLStreamReader2 in = open("<s:Fault xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><faultcode>s:MustUnderstand"
        + "</faultcode><faultstring>No.</faultstring></s:Fault>");
    FaultReader fault = new FaultReader(in, SoapVersion.SOAP11);
    assertTrue(!fault.nextDetail());
    assertEquals(SoapFault.Code.MUST_UNDERSTAND, fault.code());
    assertEquals("No.", fault.reason());
  }

  @Test
  void unknownCodeIsTreatedAsReceiver() throws XMLStreamException {
    XMLStreamReader2 in = open("<s:Fault xmlns:s='http://schemas.xmlsoap.org/soap/envelope/'><faultcode>x:Odd</faultcode></s:Fault>");
    FaultReader fault = new FaultReader(in, SoapVersion.SOAP11);
    assertTrue(!fault.nextDetail());
    assertEquals(SoapFault.Code.RECEIVER, fault.code());
    assertEquals("", fault.reason());
  }
}
