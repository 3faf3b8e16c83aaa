package org.understudy.soap.addressing;

import javax.xml.namespace.QName;

/** Names of WS-Addressing 1.0. */
public final class Addressing {
  /** The namespace, prefix {@code wsa} in what is written here. */
  public static final String NAMESPACE = "http://www.w3.org/2005/08/addressing";
  /** The address that means the HTTP response (Core, section 2.1). */
  public static final String ANONYMOUS = NAMESPACE + "/anonymous";
  /** The address to which nothing is sent (Core, section 2.1). */
  public static final String NONE = NAMESPACE + "/none";
  /** The Action of addressing faults (SOAP Binding, section 6). */
  public static final String FAULT_ACTION = NAMESPACE + "/fault";
  /** The Action of SOAP's own faults, and of those for which a contract names none (SOAP Binding, section 6). */
  public static final String SOAP_FAULT_ACTION = NAMESPACE + "/soap/fault";

  private Addressing() {}

  /** A name in the namespace, with the customary prefix. */
  public static QName name(String local) {
    return new QName(NAMESPACE, local, "wsa");
  }
}
