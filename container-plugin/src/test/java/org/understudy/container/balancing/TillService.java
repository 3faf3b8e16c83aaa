package org.understudy.container.balancing;

import jakarta.annotation.Resource;
import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.xml.ws.WebServiceContext;
import jakarta.xml.ws.handler.MessageContext;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.ReplicatedState;

/** A sum, of which the test can hold one execution. */
@WebService(endpointInterface = "org.understudy.container.balancing.Till", targetNamespace = "urn:till")
public class TillService implements Till {
  /**
   * The next execution at a replica is held.
   *
   * @param port of the replica
   * @param end ends it
   */
  record Hold(int port, CompletableFuture<Void> end) {}

  /** Null for none. */
  static final AtomicReference<Hold> HOLD = new AtomicReference<>();

  @Resource private WebServiceContext context;
  @ReplicatedState private int sum;

  private void hold() {
    Hold hold = HOLD.get();
    int port = ((HttpServletRequest) context.getMessageContext().get(MessageContext.SERVLET_REQUEST)).getLocalPort();
    if (hold != null && hold.port == port && HOLD.compareAndSet(hold, null)) {
      hold.end.join();
    }
  }

  @Override
  @WebMethod
  public int pay(@WebParam(name = "amount") int amount) {
    hold();
    sum += amount;
    return sum;
  }

  @Override
  @WebMethod
  @Read(ReadLevel.SESSION)
  public int sum() {
    hold();
    return sum;
  }
}
