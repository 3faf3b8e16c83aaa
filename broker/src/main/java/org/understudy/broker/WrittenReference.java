package org.understudy.broker;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.Elements;
import org.understudy.soap.xml.XmlText;
import org.understudy.wsrf.resource.ResourceParameter;
import org.w3c.dom.Element;

/** Endpoint references as elements of messages. */
final class WrittenReference {
  private WrittenReference() {}

  /**
   * Reads one.
   *
   * @throws IllegalArgumentException when nothing can be sent there; the message is a sentence
   */
  static EndpointReference read(Element reference) {
    Element address = Elements.child(reference, Addressing.NAMESPACE, "Address");
    if (address == null) {
      throw new IllegalArgumentException("The " + reference.getLocalName() + " has no wsa:Address.");
    }
    List<String> parameters = new ArrayList<>();
    Element written = Elements.child(reference, Addressing.NAMESPACE, "ReferenceParameters");
    if (written != null) {
      for (Element parameter : Elements.children(written)) {
        String namespace = parameter.getNamespaceURI();
        if (Addressing.NAMESPACE.equals(namespace) || SoapVersion.ofNamespace(namespace) != null) {
          // As a header block it would change the meaning of the message that carries it.
          throw new IllegalArgumentException("A reference parameter may not be an element of SOAP or WS-Addressing.");
        }
        parameter.removeAttributeNS(Addressing.NAMESPACE, "IsReferenceParameter");
        parameters.add(ElementText.of(parameter));
      }
    }
    URI uri;
    try {
      uri = new URI(address.getTextContent().strip());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("The address in the " + reference.getLocalName() + " is no URI.", e);
    }
    boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!isHttp || uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null
        || uri.getPort() == 0 || uri.getPort() > 65_535) {
      throw new IllegalArgumentException(
          "The address in the " + reference.getLocalName() + " is no plain http or https address.");
    }
    return new EndpointReference(uri, parameters);
  }

  /** The content of a reference of a resource of ours: the id in the URL and as a parameter. */
  static String to(String address, String id) {
    return "<wsa:Address xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + XmlText.escape(address) + "/" + id
        + "</wsa:Address><wsa:ReferenceParameters xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + ResourceParameter.of(id)
        + "</wsa:ReferenceParameters>";
  }
}
