package org.understudy.wsrf.contract;

import javax.xml.namespace.QName;
import org.w3c.dom.Document;

/** A service's own contract, as the stack that serves it writes it. */
public interface ServiceContract {
  /** The name of the port at which the service is published. */
  String port();

  QName portType();

  /**
   * Returns a document of its own, which the caller may change.
   *
   * @param query of the document: {@code wsdl}, or what another document of this contract names, for example {@code
   *     xsd=a.xsd}
   * @param address what stands for the address of the endpoint, there and before the queries of other documents
   */
  Document document(String query, String address);
}
