package org.understudy.container.operation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.understudy.container.Soap;
import org.understudy.container.soap.SoapVersion;
import org.w3c.dom.Element;

/** What is read of a message as a tree, and what is not. */
class MessageBodyTest {
  private static Element read(SoapVersion version, String headers, String body) throws DeclaredFault {
    return MessageBody.read(
        version, Soap.envelope(version.namespace(), headers, body).getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void aHeaderThatMustBeUnderstoodAndIsNotIsAFault() {
    DeclaredFault fault =
        assertThrows(
            DeclaredFault.class,
            () -> read(SoapVersion.SOAP11, "<x xmlns='urn:x' e:mustUnderstand='1'/>", "<b/>"));
    assertEquals("MustUnderstand", fault.code());
    assertTrue(fault.getMessage().contains("{urn:x}x"), fault.getMessage());
  }

  @Test
  void aHeaderForAnotherNodeIsNotOurs() throws DeclaredFault {
    assertEquals("b", read(SoapVersion.SOAP11, "<x xmlns='urn:x' e:mustUnderstand='1' e:actor='urn:gate'/>", "<b/>").getLocalName());
    assertEquals("b", read(SoapVersion.SOAP12, "<x xmlns='urn:x' e:mustUnderstand='true' e:role='urn:gate'/>", "<b/>").getLocalName());
    assertThrows(
        DeclaredFault.class,
        () -> read(
            SoapVersion.SOAP11,
            "<x xmlns='urn:x' e:mustUnderstand='1' e:actor='http://schemas.xmlsoap.org/soap/actor/next'/>", "<b/>"));
  }

  @Test
  void aMessageOfAMillionElementsIsRefusedBeforeItIsATree() {
    DeclaredFault fault =
        assertThrows(DeclaredFault.class, () -> read(SoapVersion.SOAP11, "", "<b>" + "<c/>".repeat(1_000_000) + "</b>"));
    assertTrue(fault.getMessage().startsWith("The request cannot be taken"), fault.getMessage());
  }

  @Test
  void aDoctypeIsRefused() {
    byte[] evil = ("<!DOCTYPE e [<!ENTITY a 'b'>]>" + Soap.envelope("", "<b>&a;</b>")).getBytes(StandardCharsets.UTF_8);
    assertThrows(DeclaredFault.class, () -> MessageBody.read(SoapVersion.SOAP11, evil));
  }
}
