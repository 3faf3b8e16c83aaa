package org.understudy.soap.envelope;

/** The request is not a valid envelope; the message is the reason for the client. Without a stack trace. */
public final class BadEnvelopeException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient SoapVersion version;
  private final transient SoapFault fault;
  private final transient MessageProperties properties;

  /** With the code Sender, before WS-Addressing's header blocks were read. */
  public BadEnvelopeException(SoapVersion version, String message) {
    this(version, SoapFault.sender(message), MessageProperties.UNUSED);
  }

  /** @param properties of the request, as far as they were read */
  public BadEnvelopeException(SoapVersion version, SoapFault fault, MessageProperties properties) {
    super(fault.getMessage(), null, false, false);
    this.version = version;
    this.fault = fault;
    this.properties = properties;
  }

  /** The version of the answer. */
  public SoapVersion version() {
    return version;
  }

  /** The fault to answer with. */
  public SoapFault fault() {
    return fault;
  }

  /** WS-Addressing's properties of the request, as far as they were read. */
  public MessageProperties properties() {
    return properties;
  }
}
