package org.understudy.soap.envelope;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.understudy.soap.basefault.DeclaredFault;
import org.w3c.dom.Element;

/** What is read of a message as a tree, and what is not. */
class MessageBodyTest {
  private static String envelope(SoapVersion version, String headers, String body) {
    return "<e:Envelope xmlns:e=\"" + version.namespace() + "\"><e:Header>" + headers + "</e:Header><e:Body>" + body
        + "</e:Body></e:Envelope>";
  }

  private static Element read(SoapVersion version, String headers, String body) throws DeclaredFault {
    return MessageBody.read(
        version, envelope(version, headers, body).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void bodyHoldsOneElementAndIsLast() throws DeclaredFault {
    assertEquals("b", read(SoapVersion.SOAP11, "<x xmlns='urn:x'/>", "<b/>").getLocalName());
    for (String wrong : new String[] {"", "<b/><c/>", "<b/></e:Body><e:Body><c/>", "<b/></e:Body><c/><e:Body>", "<b>"}) {
      assertThrows(DeclaredFault.class, () -> read(SoapVersion.SOAP12, "", wrong), wrong);
    }
    byte[] goesOn = (envelope(SoapVersion.SOAP11, "", "<b/>") + "<c/>").getBytes(StandardCharsets.UTF_8);
    assertThrows(DeclaredFault.class, () -> MessageBody.read(SoapVersion.SOAP11, goesOn));
  }

  @Test
  void messageWithTooManyElementsIsRefusedWithoutATree() {
    DeclaredFault fault =
        assertThrows(DeclaredFault.class, () -> read(SoapVersion.SOAP11, "", "<b>" + "<c/>".repeat(1_000_000) + "</b>"));
    assertTrue(fault.getMessage().startsWith("The request is invalid"), fault.getMessage());
  }

  @Test
  void aDoctypeIsRefused() {
    byte[] evil = ("<!DOCTYPE e [<!ENTITY a 'b'>]>" + envelope(SoapVersion.SOAP11, "", "<b>&a;</b>")).getBytes(StandardCharsets.UTF_8);
    assertThrows(DeclaredFault.class, () -> MessageBody.read(SoapVersion.SOAP11, evil));
  }
}
