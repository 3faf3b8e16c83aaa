package org.understudy.container.service;

import jakarta.xml.ws.WebFault;

@WebFault(name = "Refused", targetNamespace = "urn:notebook")
public class RefusedException extends Exception {
  private static final long serialVersionUID = 1L;

  public RefusedException(String message) {
    super(message);
  }
}
