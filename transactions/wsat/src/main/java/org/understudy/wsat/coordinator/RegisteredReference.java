package org.understudy.wsat.coordinator;

import jakarta.xml.ws.wsaddressing.W3CEndpointReference;

/** What the endpoint reference in a registration costs: its address, reference parameters and metadata. Immutable. */
final class RegisteredReference {
  /** As this coordinator writes it to send and to store it. A coordinator's may be as long at a participant of this module. */
  static final int MAX_CHARS = 4_000;
  /** A short one, measured: each {@code W3CEndpointReference} has a JAXBContext of its own. */
  private static final int BASE_BYTES = 20_000;
  private static final int BYTES_OF_CHAR = 4;
  /** As DOM. A child of the reference parameters is a document of its own: measured, 570 with its declarations of namespaces. */
  private static final int BYTES_OF_TAG = 300;
  private static final int BYTES_OF_ATTRIBUTE = 150;

  private final String xml;

  /** @param reference null for none, which Narayana refuses */
  RegisteredReference(W3CEndpointReference reference) {
    this.xml = reference == null ? "" : reference.toString();
  }

  boolean isTooLong() {
    return xml.length() > MAX_CHARS;
  }

  /** An upper bound of the bytes that it holds in memory. */
  long heldBytes() {
    long tags = xml.chars().filter(c -> c == '<').count();
    long attributes = xml.chars().filter(c -> c == '=').count();
    return BASE_BYTES + BYTES_OF_CHAR * (long) xml.length() + BYTES_OF_TAG * tags + BYTES_OF_ATTRIBUTE * attributes;
  }
}
