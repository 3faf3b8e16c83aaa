package org.understudy.container.state;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicatedState;

/** A service whose state has one of two shapes, by a setting. */
@WebService(targetNamespace = "urn:wallet")
public class WalletService {
  static final class Coin implements Serializable {
    private static final long serialVersionUID = 1L;
    private final int cents;

    Coin(int cents) {
      this.cents = cents;
    }
  }

  @ReplicatedState private final List<Coin> coins = new ArrayList<>();

  /** Returns the sum. */
  @WebMethod
  public int put(@WebParam(name = "cents") int cents) {
    coins.add(new Coin(cents));
    return coins.stream().mapToInt(coin -> coin.cents).sum();
  }
}
