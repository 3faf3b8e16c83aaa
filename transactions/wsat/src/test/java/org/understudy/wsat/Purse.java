package org.understudy.wsat;

import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReplicatedState;

/** A service that knows nothing of transactions. */
@WebService(targetNamespace = "urn:purse", serviceName = "Purse", portName = "PursePort")
public class Purse {
  @ReplicatedState private int coins;

  /** Returns the new number of coins. */
  public int put(@WebParam(name = "coins") int more) {
    coins += more;
    return coins;
  }

  @Read
  public int count() {
    return coins;
  }
}
