package org.understudy.container.transaction;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** A service that knows nothing of transactions. */
@WebService(targetNamespace = "urn:account", serviceName = "Account", portName = "AccountPort")
public class Account {
  @ReplicatedState private int balance;

  /** Returns the new balance. */
  public int deposit(@WebParam(name = "amount") int amount) {
    TransactionHttpTest.EXECUTIONS.incrementAndGet();
    balance += amount;
    return balance;
  }

  @Read
  public int balance() {
    return balance;
  }
}
