package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jws.WebService;
import org.apache.cxf.interceptor.InInterceptors;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service with an interceptor of CXF that its class declares. */
@ApplicationScoped
@FaultTolerant
@InInterceptors(classes = Gate.class)
@WebService(
    endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Vault",
    portName = "VaultPort")
public class Vault implements GreeterPort {
  @ReplicatedState private int count;

  @Override
  public String greet(String name) {
    count++;
    return name + " " + count;
  }
}
