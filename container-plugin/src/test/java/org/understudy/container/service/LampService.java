package org.understudy.container.service;

import jakarta.jws.WebService;
import java.time.Instant;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Lamps are WS-Resources. */
@WebService(endpointInterface = "org.understudy.container.service.Lamps", targetNamespace = "urn:lamps")
@ResourceState(Lamp.class)
public class LampService implements Lamps {
  private final ResourceHome<Lamp> home;

  public LampService(ResourceHome<Lamp> home) {
    this.home = home;
  }

  @Override
  public String create() {
    return home.create(new Lamp());
  }

  @Override
  public String createFor(int millis) {
    return home.create(new Lamp(), Instant.now().plusMillis(millis));
  }

  @Override
  public int brighten(int by) {
    return home.current().brighten(by);
  }

  @Override
  public void remove() {
    home.destroyCurrent();
  }
}
