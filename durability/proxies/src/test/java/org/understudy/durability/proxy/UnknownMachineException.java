package org.understudy.durability.proxy;

/** A declared fault of the queue and of the service. */
class UnknownMachineException extends Exception {
  private static final long serialVersionUID = 1L;

  UnknownMachineException(String id) {
    super("The machine " + id + " is unknown.");
  }
}
