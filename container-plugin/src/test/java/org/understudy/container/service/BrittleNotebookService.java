package org.understudy.container.service;

import jakarta.jws.WebService;

/** A notebook whose state cannot be captured once there is an exclamation mark in it. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class BrittleNotebookService extends NotebookService {
  @Override
  public byte[] captureState() {
    byte[] state = super.captureState();
    for (byte b : state) {
      if (b == '!') {
        throw new IllegalStateException("A secret of the service.");
      }
    }
    return state;
  }
}
