package org.understudy.container.transaction;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.TransactionalState;

/** A service that takes part in transactions by itself, and whose end of an operation can fail. */
@WebService(targetNamespace = "urn:account", serviceName = "DefectiveAccount", portName = "DefectiveAccountPort")
public class DefectiveAccount implements StateCapture, TransactionalState {
  /** Whether the next end of an operation fails. */
  static final AtomicBoolean FAILS = new AtomicBoolean();

  private int balance;

  /** Returns the new balance. */
  public int deposit(@WebParam(name = "amount") int amount) {
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
