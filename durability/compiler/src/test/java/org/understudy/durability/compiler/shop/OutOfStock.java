package org.understudy.durability.compiler.shop;

import jakarta.xml.ws.WebFault;

/** A declared fault. */
@WebFault(name = "OutOfStock", targetNamespace = "urn:shop")
public class OutOfStock extends Exception {
  private static final long serialVersionUID = 1;

  /** @param message names the item */
  public OutOfStock(String message) {
    super(message);
  }
}
