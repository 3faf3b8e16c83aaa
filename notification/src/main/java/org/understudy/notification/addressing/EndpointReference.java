package org.understudy.notification.addressing;

import java.net.URI;
import java.util.List;

/**
 * Where messages go (WS-Addressing 1.0 Core, section 2). Immutable.
 *
 * @param address absolute
 * @param referenceParameters each one a complete XML element that declares every prefix it uses and carries {@code
 *     wsa:IsReferenceParameter}, ready to stand as a SOAP header block (WS-Addressing 1.0 SOAP Binding, section 2.3)
 */
public record EndpointReference(URI address, List<String> referenceParameters) {
  /** Copies the list. */
  public EndpointReference {
    referenceParameters = List.copyOf(referenceParameters);
  }

  /** A reference without parameters. */
  public static EndpointReference to(URI address) {
    return new EndpointReference(address, List.of());
  }
}
