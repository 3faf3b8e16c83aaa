package org.understudy.container.evolution;

import jakarta.jws.WebService;
import org.understudy.replication.api.Read;

/** Implements {@link OldDesk}. */
@WebService(
    endpointInterface = "org.understudy.container.evolution.OldDesk", targetNamespace = "urn:desk", serviceName = "DeskService",
    portName = "DeskPort")
public class OldDeskService extends DeskItems implements OldDesk {
  @Override
  public int put(String item) {
    return add(item, null);
  }

  @Read
  @Override
  public int count() {
    return size();
  }

  @Override
  public int mark(String item, String size) {
    return add(item, size);
  }

  @Override
  public int drop(String item) {
    return remove(item);
  }
}
