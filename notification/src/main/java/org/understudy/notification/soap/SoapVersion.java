package org.understudy.notification.soap;

/** SOAP 1.1 or 1.2. */
public enum SoapVersion {
  /** SOAP 1.1. */
  SOAP11("http://schemas.xmlsoap.org/soap/envelope/", "text/xml"),
  /** SOAP 1.2. */
  SOAP12("http://www.w3.org/2003/05/soap-envelope", "application/soap+xml");

  private final String namespace;
  private final String mediaType;

  SoapVersion(String namespace, String mediaType) {
    this.namespace = namespace;
    this.mediaType = mediaType;
  }

  /** The namespace of the envelope. */
  public String namespace() {
    return namespace;
  }

  /** The media type of messages. */
  public String mediaType() {
    return mediaType;
  }

  /** The version of an envelope's namespace; null when it is none. */
  public static SoapVersion ofNamespace(String uri) {
    for (SoapVersion version : values()) {
      if (version.namespace.equals(uri)) {
        return version;
      }
    }
    return null;
  }
}
