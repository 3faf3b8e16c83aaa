package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** A service behind a client proxy, an interceptor and a decorator. */
@Audited
@ApplicationScoped
@FaultTolerant
@WebService(
    endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Greeter",
    portName = "GreeterPort")
public class Greeter implements GreeterPort {
  private final Words words;
  @Inject private Visit visit;
  @ReplicatedState private int count;

  /** Needed by the client proxy. */
  protected Greeter() {
    this(null);
  }

  @Inject
  Greeter(Words words) {
    this.words = words;
  }

  @Override
  public String greet(String name) {
    count++;
    visit.add(name);
    return words.hello() + " " + visit.names() + " " + count;
  }
}
