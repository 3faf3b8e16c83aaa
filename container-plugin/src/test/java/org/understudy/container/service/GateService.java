package org.understudy.container.service;

import jakarta.jws.WebMethod;
import jakarta.jws.WebService;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.understudy.replication.api.Read;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.StateCapture;

/** Counts who passes; every execution waits until the test lets it go on. */
@WebService(targetNamespace = "urn:gate")
public class GateService implements StateCapture {
  /** Executions that have begun; each takes one permit of {@link #GO}. */
  public static final Semaphore BEGUN = new Semaphore(0);
  public static final Semaphore GO = new Semaphore(0);
  public static final AtomicInteger EXECUTIONS = new AtomicInteger();

  private int passed;

  @WebMethod
  public int pass() {
    await();
    return ++passed;
  }

  @WebMethod
  @Read(ReadLevel.LINEARIZABLE)
  public int passed() {
    await();
    return passed;
  }

  private static void await() {
    EXECUTIONS.incrementAndGet();
    BEGUN.release();
    GO.acquireUninterruptibly();
  }

  @Override
  public byte[] captureState() {
    return Integer.toString(passed).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void restoreState(byte[] state) {
    passed = Integer.parseInt(new String(state, StandardCharsets.UTF_8));
  }
}
