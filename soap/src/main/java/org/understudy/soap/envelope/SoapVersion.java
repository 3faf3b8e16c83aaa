package org.understudy.soap.envelope;

import java.util.Locale;

/** SOAP 1.1 or 1.2. */
public enum SoapVersion {
  /** SOAP 1.1. */
  SOAP11("http://schemas.xmlsoap.org/soap/envelope/", "text/xml"),
  /** SOAP 1.2. */
  SOAP12("http://www.w3.org/2003/05/soap-envelope", "application/soap+xml");

  private final String namespace;
  private final String mediaType;
  private final String contentType;

  SoapVersion(String namespace, String mediaType) {
    this.namespace = namespace;
    this.mediaType = mediaType;
    this.contentType = mediaType + "; charset=UTF-8";
  }

  /** The namespace of the envelope. */
  public String namespace() {
    return namespace;
  }

  /** The media type of messages. */
  public String mediaType() {
    return mediaType;
  }

  /**
   * The HTTP status of a fault (SOAP 1.1, section 6.2).
   *
   * @param sender the status of a fault of the sender in SOAP 1.2: 400 (part 2, section 7.5.2.2), or 500 as for all others
   */
  public int httpStatus(SoapFault.Code code, int sender) {
    return this == SOAP12 && code == SoapFault.Code.SENDER ? sender : 500;
  }

  /** The media type of messages with their charset, UTF-8. */
  public String contentType() {
    return contentType;
  }

  /** The version that a Content-Type announces: SOAP 1.1 unless it is SOAP 1.2's; null for null. */
  public static SoapVersion ofContentType(String type) {
    return type != null && type.strip().toLowerCase(Locale.ROOT).startsWith(SOAP12.mediaType) ? SOAP12 : SOAP11;
  }

  /** The version of an envelope's namespace; null for others. */
  public static SoapVersion ofNamespace(String uri) {
    for (SoapVersion version : values()) {
      if (version.namespace.equals(uri)) {
        return version;
      }
    }
    return null;
  }
}
