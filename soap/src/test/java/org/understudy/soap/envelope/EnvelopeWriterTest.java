package org.understudy.soap.envelope;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.xml.Elements;

class EnvelopeWriterTest {
  private static final String SOAP11 = "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\">";
  private static final UUID ID = new UUID(1, 2);
  private static final String WSA = " xmlns:wsa=\"http://www.w3.org/2005/08/addressing\">";
  private static final MessageProperties ADDRESSED =
      new MessageProperties(true, "urn:<1>", MessageProperties.Target.ANONYMOUS, MessageProperties.Target.ANONYMOUS, null);

  @Test
  void answerHasAddressingBlocksIfTheRequestHas() {
    byte[] content = "<a/>".getBytes(UTF_8);
    assertEquals(
        SOAP11 + "<soap:Body><a/></soap:Body></soap:Envelope>",
        new String(
            new EnvelopeWriter(SoapVersion.SOAP11).addressing("urn:a", MessageProperties.UNUSED, ID).blocks("").body(content), UTF_8));
    assertEquals(
        SOAP11 + "<soap:Header><wsa:Action" + WSA + "urn:a</wsa:Action><wsa:MessageID" + WSA + "urn:uuid:" + ID + "</wsa:MessageID><wsa:To"
            + WSA + "http://www.w3.org/2005/08/addressing/anonymous</wsa:To><wsa:RelatesTo" + WSA
            + "urn:&lt;1&gt;</wsa:RelatesTo><b/></soap:Header><soap:Body><a/></soap:Body></soap:Envelope>",
        new String(new EnvelopeWriter(SoapVersion.SOAP11).addressing("urn:a", ADDRESSED, ID).blocks("<b/>").body(content), UTF_8));
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void faultIsReadAsWritten(SoapVersion version) throws Exception {
    DeclaredFault declared = DeclaredFault.of(DeclaredFault.Family.WSN, false, "Not <now>.", "<d:Busy xmlns:d=\"urn:d\"/>");
    byte[] message =
        new EnvelopeWriter(version)
            .faultAddressing(declared.family().action(), ADDRESSED, ID)
            .body(EnvelopeWriter.faultBody(version, declared));
    FaultBody read = FaultBody.ofEnvelope(version, message);
    assertEquals(SoapFault.Code.RECEIVER, read.code());
    assertEquals("Not <now>.", read.reason());
    assertEquals("Busy", read.detail().getLocalPart());
    assertTrue(new String(message, UTF_8).contains("http://docs.oasis-open.org/wsn/fault</wsa:Action>"));
    assertEquals(read, FaultBody.read(version, EnvelopeWriter.faultBody(version, declared).getBytes(UTF_8)));
  }

  @ParameterizedTest
  @EnumSource(SoapVersion.class)
  void addressingFaultIsWellFormedAndNamesTheHeader(SoapVersion version) throws Exception {
    SoapFault fault = SoapFault.invalidAddressing("InvalidCardinality", "To", "Twice.");
    String body =
        EnvelopeWriter.faultBody(version, fault.code(), fault.subcodes(), fault.getMessage(), fault.detail(version));
    byte[] message =
        new EnvelopeWriter(version)
            .faultAddressing(fault.action(), MessageProperties.UNUSED, ID)
            .blocks(fault.headerBlocks(version))
            .body(body);
    String text = new String(message, UTF_8);
    assertTrue(text.contains("wsa:ProblemHeaderQName"), text);
    assertEquals(version.namespace(), Elements.read(message).getNamespaceURI());
  }
}
