package org.understudy.container.evolution;

import jakarta.jws.WebService;
import jakarta.xml.ws.Holder;
import org.understudy.replication.api.Read;

/** Implements {@link NewDesk}. */
@WebService(
    endpointInterface = "org.understudy.container.evolution.NewDesk", targetNamespace = "urn:desk", serviceName = "DeskService",
    portName = "DeskPort")
public class NewDeskService extends DeskItems implements NewDesk {
  @Override
  public int put(String item, String note) {
    return add(item, note);
  }

  @Read
  @Override
  public int count(Holder<String> unit) {
    unit.value = "items";
    return size();
  }

  @Override
  public int mark(String item, String colour) {
    return add(item, colour);
  }

  @Override
  public int rename(String item, String to) {
    remove(item);
    return add(to, null);
  }
}
