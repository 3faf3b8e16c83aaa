package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** Contract of a service for tests whose resources have properties; made from code. */
@WebService(targetNamespace = "urn:lamps")
public interface Lamps {
  /** Answers the id of a lamp that is there for ever. */
  @WebMethod
  String create();

  /** Answers the id of a lamp that ends after so many milliseconds. */
  @WebMethod
  String createFor(@WebParam(name = "millis") int millis);

  @WebMethod
  int brighten(@WebParam(name = "by") int by);

  @WebMethod
  void remove();
}
