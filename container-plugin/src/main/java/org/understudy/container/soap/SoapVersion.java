package org.understudy.container.soap;

/** SOAP 1.1 or 1.2. */
public enum SoapVersion {
  SOAP11("http://schemas.xmlsoap.org/soap/envelope/", "text/xml; charset=UTF-8"),
  SOAP12("http://www.w3.org/2003/05/soap-envelope", "application/soap+xml; charset=UTF-8");

  private final String namespace;
  private final String contentType;

  SoapVersion(String namespace, String contentType) {
    this.namespace = namespace;
    this.contentType = contentType;
  }

  public String namespace() {
    return namespace;
  }

  public String contentType() {
    return contentType;
  }

  /** The local name of the fault code that says that the request was wrong. */
  public String sender() {
    return this == SOAP11 ? "Client" : "Sender";
  }

  /** The local name of the fault code that says that the request could not be served. */
  public String receiver() {
    return this == SOAP11 ? "Server" : "Receiver";
  }

  /** Null for any other namespace. */
  static SoapVersion ofNamespace(String namespace) {
    return SOAP11.namespace.equals(namespace) ? SOAP11 : SOAP12.namespace.equals(namespace) ? SOAP12 : null;
  }
}
