package org.understudy.container.evolution;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.xml.ws.RequestWrapper;
import jakarta.xml.ws.ResponseWrapper;

/** The contract that clients were generated from years ago. */
@WebService(name = "Desk", targetNamespace = "urn:desk")
public interface OldDesk {
  @WebMethod
  @RequestWrapper(localName = "put", targetNamespace = "urn:desk", className = "org.understudy.container.evolution.generated.Put")
  @ResponseWrapper(
      localName = "putResponse", targetNamespace = "urn:desk", className = "org.understudy.container.evolution.generated.PutResponse")
  int put(@WebParam(name = "item") String item);

  /** @param size has another name and meaning since */
  @WebMethod
  int mark(@WebParam(name = "item") String item, @WebParam(name = "size") String size);

  /** Removed since. */
  @WebMethod
  int drop(@WebParam(name = "item") String item);

  @WebMethod
  String list();

  @WebMethod
  int count();
}
