package org.understudy.container.soap;

/** What arrived is not an envelope we take; the message says why, for the client. */
public final class BadEnvelopeException extends Exception {
  private static final long serialVersionUID = 1L;
  private final transient SoapVersion version;

  public BadEnvelopeException(SoapVersion version, String message) {
    super(message);
    this.version = version;
  }

  /** In which version to answer. */
  public SoapVersion version() {
    return version;
  }
}
