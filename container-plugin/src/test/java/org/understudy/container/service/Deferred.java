package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebResult;
import jakarta.jws.WebService;
import jakarta.jws.soap.SOAPBinding;

/** Tallies, of which some operations end long after they began. */
@WebService(targetNamespace = "urn:deferred")
@SOAPBinding(parameterStyle = SOAPBinding.ParameterStyle.BARE)
public interface Deferred {
  /** @return the id of a new tally */
  @WebMethod
  @WebResult(name = "created")
  String create(@WebParam(name = "create") int value);

  /** Implemented by an asynchronous method. */
  @WebMethod
  @WebResult(name = "added")
  int add(@WebParam(name = "add") int by);

  /** Suspends itself twice, and works on the tally in between and at the end; below zero: for so many milliseconds. */
  @WebMethod
  @WebResult(name = "taken")
  int take(@WebParam(name = "take") int by);

  @WebMethod
  @WebResult(name = "value")
  int value(@WebParam(name = "show") int ignored);
}
