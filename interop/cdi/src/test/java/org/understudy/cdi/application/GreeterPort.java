package org.understudy.cdi.application;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** The endpoint interface of the service. A decorator needs it. */
@WebService(targetNamespace = "urn:greeter")
public interface GreeterPort {
  String greet(@WebParam(name = "name") String name);
}
