package org.understudy.container.attachment;

import jakarta.jws.WebMethod;
import jakarta.jws.WebParam;
import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.FaultTolerant;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.StateCapture;

/** A service as an application makes it: its constructor takes what the application gives it. */
@FaultTolerant
@WebService(targetNamespace = "urn:ledger", serviceName = "Ledger", portName = "LedgerPort")
public class Ledger implements StateCapture {
  static final AtomicInteger EXECUTIONS = new AtomicInteger();

  private final String owner;
  private final StringBuilder lines = new StringBuilder();

  Ledger(String owner) {
    this.owner = owner;
  }

  public String add(@WebParam(name = "line") String line) {
    EXECUTIONS.incrementAndGet();
    lines.append(line);
    return owner + ":" + lines;
  }

  @Read
  public String lines() {
    return owner + ":" + lines;
  }

  @Override
  @WebMethod(exclude = true)
  public byte[] captureState() {
    return lines.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  @WebMethod(exclude = true)
  public void restoreState(byte[] state) {
    lines.setLength(0);
    lines.append(new String(state, StandardCharsets.UTF_8));
  }
}
