package org.understudy.spring;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.ReplicatedState;

/** A service whose only reference to the plugin is the annotation of its state. */
@WebService(targetNamespace = "urn:greeter", serviceName = "Greeter", portName = "GreeterPort")
public class Greeter {
  private final Greetings greetings;

  @ReplicatedState private int count;

  public Greeter(Greetings greetings) {
    this.greetings = greetings;
  }

  public String greet(@WebParam(name = "name") String name) {
    count++;
    return greetings.word() + " " + name + " " + count;
  }
}
