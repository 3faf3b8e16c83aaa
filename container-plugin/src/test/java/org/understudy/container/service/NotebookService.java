package org.understudy.container.service;

import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.cxf.binding.soap.SoapFault;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.StateCapture;
import org.understudy.test.Condition;
import org.w3c.dom.Element;

/** Keeps its state in itself, as an ordinary JAX-WS bean does. */
@WebService(endpointInterface = "org.understudy.container.service.Notebook", targetNamespace = "urn:notebook")
public class NotebookService implements Notebook, StateCapture {
  /** Slow executions that have begun; each takes one permit of {@link #GO}. */
  public static final Semaphore BEGUN = new Semaphore(0);
  public static final Semaphore GO = new Semaphore(0);
  public static final AtomicInteger EXECUTIONS = new AtomicInteger();

  private final StringBuilder text = new StringBuilder();

  /** Ends slow runs of earlier tests: a retry may have run at another replica, beside the run that it repeats. */
  public static void endSlowRuns() {
    Condition.await("the end of slow runs", () -> {
      GO.release();
      return !GO.hasQueuedThreads();
    });
    GO.drainPermits();
    BEGUN.drainPermits();
    EXECUTIONS.set(0);
  }

  @Override
  public String append(String more) {
    EXECUTIONS.incrementAndGet();
    return text.append(more).toString();
  }

  @Override
  @Read(ReadLevel.SESSION)
  public String text() {
    return text.toString();
  }

  @Override
  public String refuse(String more) throws RefusedException {
    append(more);
    throw new RefusedException("No <more> & no less.");
  }

  @Override
  public String stumble(String more) {
    append(more);
    throw new IllegalStateException("stumbled");
  }

  @Override
  public String quote(String more) {
    append(more);
    SoapFault fault = new SoapFault("A service that is called failed.", SoapFault.FAULT_CODE_SERVER);
    Element detail = fault.getOrCreateDetail();
    String namespace = "urn:understudy:replication:1";
    Element quoted = detail.getOwnerDocument().createElementNS(namespace, "ur:ReplicationFault");
    for (String[] child : new String[][] {{"Code", "NotReady"}, {"Executed", "no"}, {"Epoch", "1"}, {"Alternatives", ""}}) {
      Element part = detail.getOwnerDocument().createElementNS(namespace, "ur:" + child[0]);
      part.setTextContent(child[1]);
      quoted.appendChild(part);
    }
    detail.appendChild(quoted);
    throw fault;
  }

  @Override
  public String appendSlowly(String more) {
    BEGUN.release();
    GO.acquireUninterruptibly();
    return append(more);
  }

  @Override
  public void note(String more) {
    append(more);
  }

  @Override
  public void clear() {
    text.setLength(0);
  }

  @Override
  public byte[] captureState() {
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    text.setLength(0);
    text.append(new String(state, StandardCharsets.UTF_8));
  }
}
