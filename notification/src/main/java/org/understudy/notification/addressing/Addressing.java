package org.understudy.notification.addressing;

/** Names of WS-Addressing 1.0. */
public final class Addressing {
  /** The namespace, prefix {@code wsa} in what is written here. */
  public static final String NAMESPACE = "http://www.w3.org/2005/08/addressing";
  /** The address that means the HTTP response (Core, section 2.1). */
  public static final String ANONYMOUS = NAMESPACE + "/anonymous";
  /** The Action of addressing faults (SOAP Binding, section 6). */
  public static final String FAULT_ACTION = NAMESPACE + "/fault";

  private Addressing() {}
}
