package org.understudy.container.balancing;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The contract of {@link TillService}. */
@WebService(targetNamespace = "urn:till")
public interface Till {
  /** Adds an amount and returns the sum. */
  @WebMethod
  int pay(@WebParam(name = "amount") int amount);

  /** Returns the sum. */
  @WebMethod
  int sum();
}
