package org.understudy.soap.basefault;

import javax.xml.namespace.QName;

/** A fault that a standard declares for an operation, with the content of WS-BaseFaults 1.2. Immutable. */
public interface FaultType {
  /** The element in the detail of the SOAP fault; it may bring the prefix that is customary. */
  QName element();

  /** The family of the fault, which has one action. */
  DeclaredFault.Family family();

  /** Whether the request is wrong, rather than the receiver unable. */
  boolean sender();
}
