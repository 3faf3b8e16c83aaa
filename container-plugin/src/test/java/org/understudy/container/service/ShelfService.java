package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Makes shelves. */
@WebService(targetNamespace = "urn:shelf")
@ResourceState(Shelf.class)
public class ShelfService {
  private final ResourceHome<Shelf> home;

  public ShelfService(ResourceHome<Shelf> home) {
    this.home = home;
  }

  @WebMethod
  public String create() {
    return home.create(new Shelf());
  }
}
