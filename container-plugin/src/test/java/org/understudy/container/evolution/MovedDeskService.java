package org.understudy.container.evolution;

import jakarta.jws.WebService;

/** Implements {@link MovedDesk}. */
@WebService(
    endpointInterface = "org.understudy.container.evolution.MovedDesk", targetNamespace = "urn:desk:2", serviceName = "DeskService",
    portName = "DeskPort")
public class MovedDeskService extends DeskItems implements MovedDesk {
  @Override
  public int put(String item, String note) {
    return add(item, note);
  }
}
