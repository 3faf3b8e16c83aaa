package org.understudy.soap.addressing;

import java.net.URI;
import java.util.List;
import java.util.Optional;
import javax.xml.stream.XMLStreamException;
import org.codehaus.stax2.XMLStreamWriter2;

/**
 * The destination of messages (WS-Addressing 1.0 Core, section 2). Immutable.
 *
 * @param address absolute, at most {@link #MAX_ADDRESS_CHARS} characters
 * @param referenceParameters each one a complete XML element that declares every prefix it uses; {@link
 *     #MAX_PARAMETERS_CHARS} characters together at most
 * @param written the whole reference as its issuer wrote it, if it has more than address and parameters (section 2.1:
 *     Metadata, and extension elements and attributes): an XML element that declares every prefix it uses, at most {@link
 *     #MAX_WRITTEN_CHARS} characters; otherwise empty
 */
public record EndpointReference(URI address, List<String> referenceParameters, Optional<String> written) {
  /** The longest address, in characters. */
  public static final int MAX_ADDRESS_CHARS = 2_048;
  /** The longest reference parameters, together, in characters. */
  public static final int MAX_PARAMETERS_CHARS = 8_192;
  /** The longest reference that is kept as a whole, in characters. */
  public static final int MAX_WRITTEN_CHARS = 16_384;

  /** @throws IllegalArgumentException when something is too long */
  public EndpointReference {
    referenceParameters = List.copyOf(referenceParameters);
    if (address.toString().length() > MAX_ADDRESS_CHARS) {
      throw new IllegalArgumentException("The address is longer than " + MAX_ADDRESS_CHARS + " characters.");
    }
    if (referenceParameters.stream().mapToLong(String::length).sum() > MAX_PARAMETERS_CHARS) {
      throw new IllegalArgumentException("The reference parameters are longer than " + MAX_PARAMETERS_CHARS
          + " characters.");
    }
    if (written.isPresent() && written.get().length() > MAX_WRITTEN_CHARS) {
      throw new IllegalArgumentException(
          "The endpoint reference is longer than " + MAX_WRITTEN_CHARS + " characters; send less metadata.");
    }
  }

  /** A reference with address and parameters only. */
  public EndpointReference(URI address, List<String> referenceParameters) {
    this(address, referenceParameters, Optional.empty());
  }

  /** A reference without parameters. */
  public static EndpointReference to(URI address) {
    return new EndpointReference(address, List.of());
  }

  /**
   * The reference parameters as SOAP header blocks of a message to this endpoint, each marked with {@code
   * wsa:IsReferenceParameter} (WS-Addressing 1.0 SOAP Binding, section 2.3).
   */
  public String headerBlocks() {
    StringBuilder blocks = new StringBuilder();
    for (String parameter : referenceParameters) {
      int nameEnd = 1;
      while (" \t\r\n/>".indexOf(parameter.charAt(nameEnd)) < 0) {
        nameEnd++;
      }
      String prefix = "wsarp";
      while (parameter.contains(prefix)) {
        prefix += "_";
      }
      blocks.append(parameter, 0, nameEnd)
          .append(" xmlns:").append(prefix).append("=\"").append(Addressing.NAMESPACE).append("\" ")
          .append(prefix).append(":IsReferenceParameter=\"true\"")
          .append(parameter, nameEnd, parameter.length());
    }
    return blocks.toString();
  }

  /**
   * Writes the content of an element of type {@code wsa:EndpointReferenceType}: address and parameters only.
   *
   * @param out has the prefix {@code wsa} in scope
   */
  public void writeTo(XMLStreamWriter2 out) throws XMLStreamException {
    out.writeStartElement("wsa", "Address", Addressing.NAMESPACE);
    out.writeCharacters(address.toString());
    out.writeEndElement();
    if (!referenceParameters.isEmpty()) {
      out.writeStartElement("wsa", "ReferenceParameters", Addressing.NAMESPACE);
      for (String parameter : referenceParameters) {
        out.writeRaw(parameter);
      }
      out.writeEndElement();
    }
  }
}
