package org.understudy.cdi.application;

import jakarta.enterprise.context.ApplicationScoped;
import jakarta.inject.Inject;
import jakarta.jws.WebService;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.ReplicatedState;

/** Marks all its fields as state, also one with a bean that its constructor gets. */
@ApplicationScoped
@FaultTolerant
@ReplicatedState
@WebService(endpointInterface = "org.understudy.cdi.application.GreeterPort", targetNamespace = "urn:greeter", serviceName = "Hall")
public class Hall implements GreeterPort {
  private final Words words;
  private int count;

  /** Needed by the client proxy. */
  protected Hall() {
    this(null);
  }

  @Inject
  Hall(Words words) {
    this.words = words;
  }

  @Override
  public String greet(String name) {
    count++;
    return words.hello() + " " + name + " " + count;
  }
}
