package org.understudy.container.balancing;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The contract of {@link RoomService}. */
@WebService(targetNamespace = "urn:room")
public interface Room {
  /** Returns the number of seats when the test allows it. */
  @WebMethod
  int stay();

  /** Returns the number of seats. */
  @WebMethod
  int seats();

  /** Adds seats. */
  @WebMethod
  int add(@WebParam(name = "seats") int more);
}
