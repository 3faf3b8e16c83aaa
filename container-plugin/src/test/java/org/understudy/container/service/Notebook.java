package org.understudy.container.service;

import jakarta.jws.Oneway;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** Contract of a service for tests, made from code. */
@WebService(targetNamespace = "urn:notebook")
public interface Notebook {
  @WebMethod
  String append(@WebParam(name = "text") String text);

  @WebMethod
  String text();

  /** Appends, then throws. */
  @WebMethod
  String refuse(@WebParam(name = "text") String text) throws RefusedException;

  /** Appends, then fails in a way that the contract knows nothing of. */
  @WebMethod
  String stumble(@WebParam(name = "text") String text);

  /** Appends, then fails with a fault that quotes a refusal of another group in its detail. */
  @WebMethod
  String quote(@WebParam(name = "text") String text);

  /** Appends when the test lets it. */
  @WebMethod
  String appendSlowly(@WebParam(name = "text") String text);

  @WebMethod
  @Oneway
  void note(@WebParam(name = "text") String text);

  @WebMethod
  void clear();
}
