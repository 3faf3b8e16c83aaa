package org.understudy.broker;

import java.net.URI;
import org.understudy.replication.soap.ResourceId;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.envelope.ReferenceReader;
import org.understudy.soap.xml.XmlText;
import org.w3c.dom.Element;

/** Endpoint references as elements of messages. */
final class WrittenReference {
  private WrittenReference() {}

  /**
   * Reads a reference.
   *
   * @throws IllegalArgumentException when messages cannot be sent there; the message is a sentence
   */
  static EndpointReference read(Element reference) {
    EndpointReference read = ReferenceReader.read(reference);
    URI uri = read.address();
    boolean isHttp = "http".equalsIgnoreCase(uri.getScheme()) || "https".equalsIgnoreCase(uri.getScheme());
    if (!isHttp || uri.getHost() == null || uri.getRawUserInfo() != null || uri.getRawFragment() != null
        || uri.getPort() == 0 || uri.getPort() > 65_535) {
      throw new IllegalArgumentException(
          "The address in the " + reference.getLocalName() + " is not a plain http or https URL.");
    }
    return read;
  }

  /** The content of a reference to a resource of this broker: the id in the URL and as a parameter. */
  static String to(String address, String id) {
    return "<wsa:Address xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + XmlText.escape(address) + "/" + id
        + "</wsa:Address><wsa:ReferenceParameters xmlns:wsa=\"" + Addressing.NAMESPACE + "\">" + ResourceId.of(id)
        + "</wsa:ReferenceParameters>";
  }
}
