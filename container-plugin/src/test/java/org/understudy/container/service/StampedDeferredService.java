package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** A {@link DeferredService} with the handler of {@link StampedNotebookService}. */
@HandlerChain(file = "stamp-handlers.xml")
@WebService(endpointInterface = "org.understudy.container.service.Deferred", targetNamespace = "urn:deferred")
@ResourceState(Tally.class)
public class StampedDeferredService extends DeferredService {
  public StampedDeferredService(ResourceHome<Tally> home) {
    super(home);
  }
}
