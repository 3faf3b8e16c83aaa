package org.understudy.cdi.application;

import jakarta.enterprise.context.RequestScoped;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service with an object for each request. */
@RequestScoped
@FaultTolerant
@WebService(endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Passer")
public class Passer implements GreeterPort {
  @ReplicatedState private int count;

  @Override
  public String greet(String name) {
    count++;
    return name + " " + count;
  }
}
