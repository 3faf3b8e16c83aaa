package org.understudy.container.operation;

import java.util.Set;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.staxutils.StaxUtils;
import org.understudy.container.soap.ReplicationHeader;
import org.understudy.container.soap.SoapVersion;
import org.understudy.notification.xml.XmlIntake;
import org.understudy.notification.xml.XmlLimits;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** Reads a message as a tree. A tree costs many times its text, so it may have fewer elements than text would hold. */
final class MessageBody {
  private static final String ADDRESSING = "http://www.w3.org/2005/08/addressing";
  private static final Set<String> UNDERSTOOD = Set.of(ADDRESSING, ReplicationHeader.NAMESPACE);
  private static final Set<String> OURS =
      Set.of(
          "http://schemas.xmlsoap.org/soap/actor/next",
          "http://www.w3.org/2003/05/soap-envelope/role/next",
          "http://www.w3.org/2003/05/soap-envelope/role/ultimateReceiver");
  private static final long MOST_ELEMENTS = 50_000;
  private static final XmlIntake INTAKE = new XmlIntake(XmlLimits.ofBounded(MOST_ELEMENTS));

  private MessageBody() {}

  static Element read(SoapVersion version, byte[] envelope) throws DeclaredFault {
    Element root;
    try {
      root = StaxUtils.read(INTAKE.open(envelope, 0, envelope.length, "UTF-8")).getDocumentElement();
    } catch (XMLStreamException e) {
      throw DeclaredFault.badMessage("The request cannot be taken: " + XmlIntake.reason(e));
    }
    Element body = null;
    for (Element child = next(root.getFirstChild()); child != null; child = next(child.getNextSibling())) {
      if (version.namespace().equals(child.getNamespaceURI()) && child.getLocalName().equals("Header")) {
        checkUnderstood(version, child);
      } else if (version.namespace().equals(child.getNamespaceURI()) && child.getLocalName().equals("Body")) {
        body = next(child.getFirstChild());
      }
    }
    if (body == null) {
      throw DeclaredFault.badMessage("The body is empty.");
    }
    return body;
  }

  private static void checkUnderstood(SoapVersion version, Element header) throws DeclaredFault {
    for (Element block = next(header.getFirstChild()); block != null; block = next(block.getNextSibling())) {
      String must = block.getAttributeNS(version.namespace(), "mustUnderstand").strip();
      boolean needed = (must.equals("1") || must.equals("true")) && isForUs(version, block);
      if (needed && !UNDERSTOOD.contains(block.getNamespaceURI())) {
        throw DeclaredFault.notUnderstood("{" + block.getNamespaceURI() + "}" + block.getLocalName());
      }
    }
  }

  /** Whether a header is for the one who answers, or whoever comes first: not for some node in between. */
  private static boolean isForUs(SoapVersion version, Element block) {
    String target =
        block.getAttributeNS(version.namespace(), version == SoapVersion.SOAP11 ? "actor" : "role").strip();
    return target.isEmpty() || OURS.contains(target);
  }

  private static Element next(Node node) {
    Node at = node;
    while (at != null && at.getNodeType() != Node.ELEMENT_NODE) {
      at = at.getNextSibling();
    }
    return (Element) at;
  }
}
