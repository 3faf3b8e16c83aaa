package org.understudy.notification.soap;

import com.ctc.wstx.stax.WstxOutputFactory;
import java.io.StringWriter;
import java.util.Map;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamWriter;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.notification.addressing.Addressing;

/** Copies a reference parameter out of its document. */
final class ElementText {
  private static final WstxOutputFactory FACTORY = new WstxOutputFactory();
  private static final String PREFIX = "wsarp";

  private ElementText() {}

  /**
   * The element where the reader stands as a document of its own: all prefixes of the scope are declared on it, for text
   * may use them unseen, and it is marked as a reference parameter. The reader is left on its end.
   */
  static String asReferenceParameter(XMLStreamReader2 in, Map<String, String> scope) throws XMLStreamException {
    StringWriter text = new StringWriter();
    XMLStreamWriter out = FACTORY.createXMLStreamWriter(text);
    int depth = in.getDepth();
    start(in, out);
    for (Map.Entry<String, String> declared : scope.entrySet()) {
      if (!declaresHere(in, declared.getKey()) && !declared.getKey().equals(PREFIX)) {
        declare(out, declared.getKey(), declared.getValue());
      }
    }
    declarations(in, out, PREFIX);
    out.writeNamespace(PREFIX, Addressing.NAMESPACE);
    out.writeAttribute(PREFIX, Addressing.NAMESPACE, "IsReferenceParameter", "true");
    attributes(in, out, "IsReferenceParameter");
    while (in.next() != XMLStreamConstants.END_ELEMENT || in.getDepth() > depth) {
      switch (in.getEventType()) {
        case XMLStreamConstants.START_ELEMENT -> {
          start(in, out);
          declarations(in, out, null);
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

  private static void start(XMLStreamReader2 in, XMLStreamWriter out) throws XMLStreamException {
    out.writeStartElement(text(in.getPrefix()), in.getLocalName(), text(in.getNamespaceURI()));
  }

  private static void declarations(XMLStreamReader2 in, XMLStreamWriter out, String except) throws XMLStreamException {
    for (int i = 0; i < in.getNamespaceCount(); i++) {
      String prefix = text(in.getNamespacePrefix(i));
      if (!prefix.equals(except)) {
        declare(out, prefix, text(in.getNamespaceURI(i)));
      }
    }
  }

  private static void declare(XMLStreamWriter out, String prefix, String uri) throws XMLStreamException {
    if (prefix.isEmpty()) {
      out.writeDefaultNamespace(uri);
    } else {
      out.writeNamespace(prefix, uri);
    }
  }

  private static void attributes(XMLStreamReader2 in, XMLStreamWriter out, String exceptOfAddressing)
      throws XMLStreamException {
    for (int i = 0; i < in.getAttributeCount(); i++) {
      String namespace = text(in.getAttributeNamespace(i));
      if (namespace.isEmpty()) {
        out.writeAttribute(in.getAttributeLocalName(i), in.getAttributeValue(i));
      } else if (!namespace.equals(Addressing.NAMESPACE) || !in.getAttributeLocalName(i).equals(exceptOfAddressing)) {
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
