package org.understudy.container.transaction;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.ResourceHome;
import org.understudy.replication.api.ResourceState;
import org.understudy.replication.api.StateCapture;

/** Accounts that are resources, so that each transaction locks its own. */
@ResourceState(Purses.Purse.class)
@WebService(targetNamespace = "urn:purses", serviceName = "Purses", portName = "PursesPort")
public class Purses {
  private final ResourceHome<Purse> purses;

  Purses(ResourceHome<Purse> purses) {
    this.purses = purses;
  }

  /** Returns the address of a new one. */
  public String open() {
    return purses.address(purses.create(new Purse()));
  }

  /** Returns the new balance. */
  public int deposit(@WebParam(name = "amount") int amount) {
    Purse purse = purses.current();
    purse.balance = (byte) (purse.balance + amount);
    return purse.balance;
  }

  /** One account. */
  public static class Purse implements StateCapture {
    private byte balance;

    /** Needed by the plugin. */
    public Purse() {}

    @Override
    public byte[] captureState() {
      return new byte[] {balance};
    }

    @Override
    public void restoreState(byte[] state) {
      balance = state[0];
    }
  }
}
