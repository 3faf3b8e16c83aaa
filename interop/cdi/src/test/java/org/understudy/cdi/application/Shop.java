package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service that keeps state in another bean. */
@ApplicationScoped
@FaultTolerant
@WebService(endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Shop")
public class Shop implements GreeterPort {
  @Inject private Basket basket;

  @ReplicatedState private int count;

  @Override
  public String greet(String name) {
    count++;
    return name + " " + count + " " + basket.next();
  }
}
