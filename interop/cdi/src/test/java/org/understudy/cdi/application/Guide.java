package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** A service without an endpoint interface. */
@Audited
@ApplicationScoped
@FaultTolerant
@WebService(name = "Guide", targetNamespace = "urn:greeter", serviceName = "Guide", portName = "GuidePort")
public class Guide {
  @ReplicatedState private int count;

  public String greet(@WebParam(name = "name") String name) {
    count++;
    return "Follow me " + name + " " + count;
  }

  @Read
  public int count() {
    return count;
  }
}
