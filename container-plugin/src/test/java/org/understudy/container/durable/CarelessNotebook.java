package org.understudy.container.durable;

import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;

/** A durable service whose mapping repeats a method that is not deterministic. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class CarelessNotebook extends DurableNotebook {
  public CarelessNotebook(ResourceHome<?> home) {
    super(home, new RandomLinesState());
  }
}
