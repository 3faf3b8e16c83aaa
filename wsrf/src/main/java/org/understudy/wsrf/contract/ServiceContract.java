package org.understudy.wsrf.contract;

import javax.xml.namespace.QName;
import org.w3c.dom.Document;

/** A service's own contract, as its stack writes it. */
public interface ServiceContract {
  /** The name of the port at which the service is published. */
  String port();

  QName portType();

  /**
   * Returns a new copy of a document, which the caller may change.
   *
   * @param query of the document: {@code wsdl}, or a reference in another document of this contract, for example {@code
   *     xsd=a.xsd}
   * @param address the placeholder for the address of the endpoint
   */
  Document document(String query, String address);
}
