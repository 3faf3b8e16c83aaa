package org.understudy.wsrf.property;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;

/** Dials are WS-Resources. */
@WebService(targetNamespace = "urn:dial")
@ResourceState(Dial.class)
public class DialService {
  private final ResourceHome<Dial> home;

  public DialService(ResourceHome<Dial> home) {
    this.home = home;
  }

  /** Returns the id of a new dial. */
  @WebMethod
  public String create() {
    return home.create(new Dial());
  }

  /** Turns the dial of the request. */
  @WebMethod
  public void turn(@WebParam(name = "by") int by) {
    home.current().turn(by);
  }
}
