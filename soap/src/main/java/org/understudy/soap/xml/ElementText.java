package org.understudy.soap.xml;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringWriter;
import java.util.Map;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLOutputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.codehaus.stax2.XMLStreamReader2;

/** Copies elements out of their documents. */
public final class ElementText {
  private static final WstxOutputFactory FACTORY = new WstxOutputFactory();

  static {
    FACTORY.setProperty(XMLOutputFactory.IS_REPAIRING_NAMESPACES, false);
  }

  private ElementText() {}

  /**
   * The element where the reader stands as a document of its own: all prefixes of the scope are declared on it, for text
   * may use them unseen. Comments and processing instructions are left out. The reader is left on its end.
   *
   * @param scope every prefix in scope around the element
   * @param except an attribute of the element itself that is left out; null: none
   * @throws XMLStreamException when the document is not well-formed, or exceeds a limit
   */
  public static String copy(XMLStreamReader2 in, Map<String, String> scope, QName except) throws XMLStreamException {
    StringWriter text = new StringWriter();
    XMLStreamWriter out = FACTORY.createXMLStreamWriter(text);
    int depth = in.getDepth();
    start(in, out);
    for (Map.Entry<String, String> declared : scope.entrySet()) {
      if (!declaresHere(in, declared.getKey())) {
        declare(out, declared.getKey(), declared.getValue());
      }
    }
    declarations(in, out);
    attributes(in, out, except);
    while (in.next() != XMLStreamConstants.END_ELEMENT || in.getDepth() > depth) {
      switch (in.getEventType()) {
        case XMLStreamConstants.START_ELEMENT -> {
          start(in, out);
          declarations(in, out);
          attributes(in, out, null);
        }
        case XMLStreamConstants.END_ELEMENT -> out.writeEndElement();
        case XMLStreamConstants.CHARACTERS, XMLStreamConstants.CDATA, XMLStreamConstants.SPACE ->
            out.writeCharacters(in.getText());
        default -> {
          // Comments and processing instructions mean nothing here.
        }
      }
    }
    out.writeEndElement();
    out.close();
    return text.toString();
  }

  /** Adds the prefixes declared on the element where the reader stands to those in scope. */
  public static void noteScope(XMLStreamReader2 in, Map<String, String> scope) {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      scope.put(text(in.getNamespacePrefix(i)), text(in.getNamespaceURI(i)));
    }
  }

  /**
   * Reads the text of the element on whose start the reader stands, up to its end.
   *
   * @return null when it holds an element
   */
  public static String textAlone(XMLStreamReader2 in) throws XMLStreamException {
    StringBuilder text = new StringBuilder();
    boolean alone = true;
    for (int event = in.next(); event != XMLStreamConstants.END_ELEMENT; event = in.next()) {
      if (event == XMLStreamConstants.START_ELEMENT) {
        alone = false;
        in.skipElement();
      } else if (in.hasText() && event != XMLStreamConstants.COMMENT) {
        text.append(in.getText());
      }
    }
    return alone ? text.toString() : null;
  }

  private static void start(XMLStreamReader2 in, XMLStreamWriter out) throws XMLStreamException {
    out.writeStartElement(text(in.getPrefix()), in.getLocalName(), text(in.getNamespaceURI()));
  }

  private static void declarations(XMLStreamReader2 in, XMLStreamWriter out) throws XMLStreamException {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      declare(out, text(in.getNamespacePrefix(i)), text(in.getNamespaceURI(i)));
    }
  }

  private static void declare(XMLStreamWriter out, String prefix, String uri) throws XMLStreamException {
    if (prefix.isEmpty()) {
      out.writeDefaultNamespace(uri);
    } else {
      out.writeNamespace(prefix, uri);
    }
  }

  private static void attributes(XMLStreamReader2 in, XMLStreamWriter out, QName except) throws XMLStreamException {
    for (int i = 0; i < in.getAttributeCount(); i++) {
      if (in.getAttributeName(i).equals(except)) {
        continue;
      }
      String namespace = text(in.getAttributeNamespace(i));
      if (namespace.isEmpty()) {
        out.writeAttribute(in.getAttributeLocalName(i), in.getAttributeValue(i));
      } else {
        out.writeAttribute(
            text(in.getAttributePrefix(i)), namespace, in.getAttributeLocalName(i), in.getAttributeValue(i));
      }
    }
  }

  private static boolean declaresHere(XMLStreamReader2 in, String prefix) {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      if (text(in.getNamespacePrefix(i)).equals(prefix)) {
        return true;
      }
    }
    return false;
  }

  private static String text(String value) {
    return value == null ? "" : value;
  }
}
