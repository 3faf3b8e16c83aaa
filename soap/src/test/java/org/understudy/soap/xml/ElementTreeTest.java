package org.understudy.soap.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;

class ElementTreeTest {
  private static Element read(String document) throws XMLStreamException {
    byte[] bytes = document.getBytes(UTF_8);
    return ElementTree.read(HardenedXmlReader.openBounded(bytes, bytes.length)).getDocumentElement();
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<a/>",
    "<p:a xmlns:p=\"urn:p\" p:one=\"1\" two=\"&lt;&#10;\"><b xmlns=\"urn:b\"><c xmlns=\"\">x &amp; y</c>z</b></p:a>",
    "<a xml:lang=\"en\"><b>1</b> <b>2</b></a>"
  })
  void treeIsWrittenAsRead(String document) throws XMLStreamException {
    assertEquals(document, ElementText.of(read(document)));
  }

  @Test
  void textIncludesSectionsAndReferences() throws XMLStreamException {
    assertEquals("1<2&3", read("<a>1<![CDATA[<]]>2<!-- no -->&amp;<?no no?>3</a>").getTextContent());
  }

  @Test
  void readerEndsOnTheEndOfTheElement() throws XMLStreamException {
    byte[] bytes = "<a><b><c/></b><d/></a>".getBytes(UTF_8);
    XMLStreamReader2 in = HardenedXmlReader.openBounded(bytes, bytes.length);
    in.nextTag();
    in.nextTag();
    assertEquals("b", ElementTree.read(in).getDocumentElement().getLocalName());
    assertTrue(in.isEndElement());
    in.nextTag();
    assertEquals("d", in.getLocalName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "<a>", "<a><b></a>", "<!DOCTYPE a [<!ENTITY e 'x'>]><a>&e;</a>", "<a>&e;</a>"})
  void malformedDocumentIsRefused(String document) {
    assertThrows(XMLStreamException.class, () -> read(document));
  }
}
