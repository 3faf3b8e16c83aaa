package org.understudy.container.service;

import jakarta.jws.HandlerChain;
import jakarta.jws.Oneway;
import jakarta.jws.WebService;
import jakarta.xml.ws.soap.Addressing;
import org.understudy.replication.api.ReplicatedState;

/** A service with a handler, CXF's WS-Addressing and a one-way operation. */
@Addressing
@HandlerChain(file = "stamp-handlers.xml")
@WebService(targetNamespace = "urn:addressed")
@ReplicatedState
public class AddressedOneWayService {
  private int notes;

  @Oneway
  public void note(String text) {
    notes += text.length();
  }

  public int notes() {
    return notes;
  }
}
