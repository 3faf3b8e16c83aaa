package org.understudy.soap.xml;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.ByteArrayInputStream;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;
import org.w3c.dom.Element;

class ElementTextTest {
  private static XMLStreamReader2 open(String document) throws XMLStreamException {
    byte[] bytes = document.getBytes(UTF_8);
    XMLStreamReader2 in = HardenedXmlReader.openBounded(bytes, bytes.length);
    in.nextTag();
    return in;
  }

  /** From the stream and from the tree: one text. */
  private static String copies(String document) throws XMLStreamException {
    String ofStream = ElementText.copy(open(document), Map.of(), null);
    assertEquals(ofStream, ElementText.of(ElementTree.read(open(document)).getDocumentElement()));
    return ofStream;
  }

  @ParameterizedTest
  @ValueSource(strings = {
    "<a/>", "<a> <b/>\n</a>", "<a>1 &lt; 2 &gt; 0 &amp; &quot;&#13;</a>", "<a b=\"&lt;&amp;&quot;&#10;&#13;&#9;\" c=\"\"/>",
    "<p:a xmlns:p=\"urn:p\" p:b=\"1\" xml:lang=\"en\"><c xmlns=\"urn:c\"><d xmlns=\"\"/></c></p:a>",
    "<a>\u00e4\ud83d\ude00</a>"
  })
  void copyOfACopyEqualsTheCopy(String document) throws XMLStreamException {
    assertEquals(document, copies(document));
  }

  /** As DocumentBuilderFactory parses unless it is told otherwise. */
  private static Element withoutNamespaces(String document) throws Exception {
    return DocumentBuilderFactory.newDefaultInstance().newDocumentBuilder()
        .parse(new ByteArrayInputStream(document.getBytes(UTF_8))).getDocumentElement();
  }

  @Test
  void anElementMadeWithoutRegardToNamespacesKeepsItsName() throws Exception {
    assertEquals("<a b=\"1\"><c>2</c></a>", ElementText.of(withoutNamespaces("<a b='1'><c>2</c></a>")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<a xmlns='urn:a'/>", "<a><p:b xmlns:p='urn:p'/></a>"})
  void anElementThatHasLostItsNamespaceIsRefused(String document) throws Exception {
    Element element = withoutNamespaces(document);
    assertThrows(IllegalArgumentException.class, () -> ElementText.of(element));
  }

  @Test
  void commentsAndInstructionsAreOmittedAndSectionsBecomeText() throws XMLStreamException {
    assertEquals("<a>1&lt;2<b/></a>", copies("<a>1<!-- no --><![CDATA[<]]>2<?no no?><b></b></a>"));
  }

  @Test
  void copyDeclaresPrefixesInScope() throws XMLStreamException {
    String document = "<r xmlns='urn:r' xmlns:q='urn:q' xmlns:p='urn:other'><a xmlns:p='urn:p' p:not='1'>q:name</a><b/></r>";
    XMLStreamReader2 in = open(document);
    Map<String, String> scope = new LinkedHashMap<>();
    ElementText.noteScope(in, scope);
    in.nextTag();
    assertEquals(
        "<a xmlns=\"urn:r\" xmlns:q=\"urn:q\" xmlns:p=\"urn:p\">q:name</a>",
        ElementText.copy(in, scope, new QName("urn:p", "not")));
    in.nextTag();
    assertEquals("b", in.getLocalName());
    Element root = ElementTree.read(open(document)).getDocumentElement();
    Element again = Elements.read(ElementText.of(Elements.children(root).get(0)));
    assertEquals("urn:r", again.getNamespaceURI());
    assertEquals(new QName("urn:q", "name"), Elements.qname(again, again.getTextContent()));
    assertEquals("1", again.getAttributeNS("urn:p", "not"));
  }

  @Test
  void undeclaredPrefixesOfATreeAreDeclared() {
    Document document = Elements.document();
    Element root = document.createElementNS("urn:r", "r");
    root.setAttributeNS("urn:a", "a", "1");
    root.setAttributeNS("urn:b", "p:b", "2");
    root.appendChild(document.createElementNS(null, "c")).appendChild(document.createTextNode("\u0001\n"));
    String text = ElementText.of(root);
    Element again = Elements.read(text);
    assertEquals("1", again.getAttributeNS("urn:a", "a"), text);
    assertEquals("2", again.getAttributeNS("urn:b", "b"), text);
    Element child = Elements.children(again).get(0);
    assertEquals(new QName("c"), Elements.name(child), text);
    assertEquals("?\n", child.getTextContent());
  }
}
