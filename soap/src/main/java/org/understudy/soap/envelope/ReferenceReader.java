package org.understudy.soap.envelope;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.xml.namespace.QName;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamReader2;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.addressing.EndpointReference;
import org.understudy.soap.xml.ChildElements;
import org.understudy.soap.xml.ElementText;
import org.understudy.soap.xml.HardenedXmlReader;
import org.w3c.dom.Element;

/** Reads endpoint references (WS-Addressing 1.0 Core, section 2) to which messages may be sent. One thread, one reference. */
public final class ReferenceReader {
  private static final QName IS_REFERENCE_PARAMETER = new QName(Addressing.NAMESPACE, "IsReferenceParameter");
  private final String name;
  private final Set<QName> forbidden;
  private final List<String> parameters = new ArrayList<>();
  private String address;
  private String invalid;
  /** Whether it has more than address and parameters. */
  private boolean more;

  private ReferenceReader(String name, Set<QName> forbidden) {
    this.name = name;
    this.forbidden = forbidden;
  }

  /**
   * Reads an element of type {@code wsa:EndpointReferenceType} from its start, where the reader is, to its end: address and
   * parameters.
   *
   * @param scope every prefix in scope around the element
   * @throws IllegalArgumentException when it has no address, the address is no valid URI, a parameter is an element of SOAP
   *     or WS-Addressing, or something is too long; the message is a sentence. The reader is on the end of the element
   */
  public static EndpointReference read(XMLStreamReader2 in, Map<String, String> scope) throws XMLStreamException {
    ReferenceReader reader = new ReferenceReader(in.getLocalName(), Set.of());
    reader.parts(in, scope);
    return reader.reference(Optional.empty());
  }

  /** Like {@link #read(XMLStreamReader2, Map)}, and keeps the reference as written if it has more. */
  public static EndpointReference readWhole(XMLStreamReader2 in, Map<String, String> scope) throws XMLStreamException {
    // Copied first, because only its end shows whether it has more.
    String written = ElementText.copy(in, scope, null);
    ReferenceReader reader = ofCopy(written);
    return reader.reference(reader.more ? Optional.of(written) : Optional.empty());
  }

  /** Like {@link #read(XMLStreamReader2, Map)}, from a tree. */
  public static EndpointReference read(Element reference) {
    try {
      return ofCopy(ElementText.of(reference)).reference(Optional.empty());
    } catch (XMLStreamException e) {
      throw new IllegalArgumentException("The " + reference.getLocalName() + " cannot be read: " + e.getMessage(), e);
    }
  }

  /**
   * Reads the element {@code wsa:ReferenceParameters} of a reference to the sender of a request.
   *
   * @param scope every prefix in scope around the element
   * @param forbidden names of elements that would change the meaning of an answer, beside those of SOAP and WS-Addressing
   * @return a reference with the anonymous address
   * @throws IllegalArgumentException as {@link #read(XMLStreamReader2, Map)}
   */
  static EndpointReference parameters(XMLStreamReader2 in, Map<String, String> scope, Set<QName> forbidden) throws XMLStreamException {
    ReferenceReader reader = new ReferenceReader(in.getLocalName(), forbidden);
    reader.parameters(in, new LinkedHashMap<>(scope));
    reader.address = Addressing.ANONYMOUS;
    return reader.reference(Optional.empty());
  }

  private static ReferenceReader ofCopy(String written) throws XMLStreamException {
    byte[] copy = written.getBytes(StandardCharsets.UTF_8);
    XMLStreamReader2 in = HardenedXmlReader.openCopy(copy, copy.length);
    HardenedXmlReader.toRoot(in);
    ReferenceReader reader = new ReferenceReader(in.getLocalName(), Set.of());
    reader.parts(in, Map.of());
    in.close();
    return reader;
  }

  private void parts(XMLStreamReader2 in, Map<String, String> around) throws XMLStreamException {
    Map<String, String> scope = new LinkedHashMap<>(around);
    ElementText.noteScope(in, scope);
    more = in.getAttributeCount() > 0;
    ChildElements parts = new ChildElements(in);
    while (parts.next()) {
      more |= in.getAttributeCount() > 0;
      if (parts.is(Addressing.NAMESPACE, "Address")) {
        address = in.getElementText().strip();
      } else if (parts.is(Addressing.NAMESPACE, "ReferenceParameters")) {
        parameters(in, new LinkedHashMap<>(scope));
      } else {
        more = true;
      }
    }
  }

  private void parameters(XMLStreamReader2 in, Map<String, String> scope) throws XMLStreamException {
    ElementText.noteScope(in, scope);
    ChildElements children = new ChildElements(in);
    while (children.next()) {
      String namespace = in.getNamespaceURI();
      // As a header block it would change the meaning of the message that carries it.
      if (Addressing.NAMESPACE.equals(namespace) || SoapVersion.ofNamespace(namespace) != null) {
        invalid = "A reference parameter may not be an element of SOAP or WS-Addressing.";
      } else if (forbidden.contains(in.getName())) {
        invalid = "A reference parameter may not be the header block " + in.getName() + " of this server.";
      } else {
        parameters.add(ElementText.copy(in, scope, IS_REFERENCE_PARAMETER));
      }
    }
  }

  private EndpointReference reference(Optional<String> written) {
    if (invalid != null) {
      throw new IllegalArgumentException(invalid);
    }
    if (address == null) {
      throw new IllegalArgumentException("The " + name + " has no wsa:Address.");
    }
    try {
      return new EndpointReference(new URI(address), parameters, written);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("The address in the " + name + " is not a URI.", e);
    }
  }
}
