package org.understudy.container.evolution;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The contract of today in another namespace. */
@WebService(name = "Desk", targetNamespace = "urn:desk:2")
public interface MovedDesk {
  @WebMethod
  int put(@WebParam(name = "item") String item, @WebParam(name = "note") String note);

  @WebMethod
  String list();
}
