package org.understudy.container.transaction;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.ByteBuffer;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.TransactionalState;

/** A service that takes part in transactions by itself, and whose operations can be slow or fail at their ends. */
@WebService(targetNamespace = "urn:account", serviceName = "DefectiveAccount", portName = "DefectiveAccountPort")
public class DefectiveAccount implements StateCapture, TransactionalState {
  /** Whether the next end of an operation fails. */
  static final AtomicBoolean FAILS = new AtomicBoolean();

  static final Semaphore GOES_ON = new Semaphore(0);

  private int balance;

  /** Returns the new balance. An amount of 0 is deposited when {@link #GOES_ON} is released. */
  public int deposit(@WebParam(name = "amount") int amount) {
    if (amount == 0) {
      GOES_ON.acquireUninterruptibly();
    }
    balance += amount;
    return balance;
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return ByteBuffer.allocate(Integer.BYTES).putInt(balance).array();
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    balance = ByteBuffer.wrap(state).getInt();
  }

  @Override
  @WebMethod(exclude = true)
  public void startTransaction(String transaction) {}

  @Override
  @WebMethod(exclude = true)
  public void enter(String transaction) {}

  @Override
  @WebMethod(exclude = true)
  public void leave() {
    if (FAILS.getAndSet(false)) {
      throw new AssertionError("A defect of the service.");
    }
  }

  @Override
  @WebMethod(exclude = true)
  public void commitTransaction(String transaction) {}

  @Override
  @WebMethod(exclude = true)
  public void abortTransaction(String transaction) {}
}
