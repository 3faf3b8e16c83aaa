package org.understudy.cdi.application;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;

/** A service whose bean a method produces by its interface: its client proxy is of no class of the application. */
@WebService(targetNamespace = "urn:greeter")
public interface Teller {
  String greet(@WebParam(name = "name") String name);
}
