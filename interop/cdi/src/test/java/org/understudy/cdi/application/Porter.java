package org.understudy.cdi.application;

import jakarta.enterprise.context.Dependent;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.replication.api.ResourceHome;

/** A service without a client proxy: only the interceptor and the decorator are before it. The plugin sets its home. */
@Audited
@Dependent
@FaultTolerant
@WebService(
    endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Porter",
    portName = "PorterPort")
public class Porter implements GreeterPort {
  private ResourceHome<Porter> home;

  @ReplicatedState private int count;

  @Override
  public String greet(String name) {
    home.current().count++;
    return "Welcome " + name + " " + count;
  }
}
