package org.understudy.container.transaction;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import javax.xml.namespace.QName;
import org.w3c.dom.Element;

/** A coordination protocol whose coordinator is the test. */
public final class TestCoordination implements CoordinationProvider {
  /** Until it is open, the coordinators of some transactions do not answer. */
  static final AtomicReference<CountDownLatch> SILENT = new AtomicReference<>();
  static final AtomicInteger WAITING = new AtomicInteger();
  static final String NAMESPACE = "urn:test:coordination";
  /** The replicas that have registered, by transaction. */
  static final Map<String, List<TransactionParticipant>> REGISTERED = new ConcurrentHashMap<>();

  private volatile TransactionParticipant participant;

  @Override
  public Set<QName> headers() {
    return Set.of(new QName(NAMESPACE, "Context"));
  }

  @Override
  public TransactionContext contextOf(Element header) {
    String id = header.getTextContent().strip();
    if (id.equals("invalid")) {
      throw new IllegalArgumentException("The Context is invalid.");
    }
    return new TransactionContext(id, "where the coordinator is".getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public byte[] register(TransactionContext context, List<Integer> replicas) throws IOException {
    if (context.id().startsWith("urn:unreachable")) {
      throw new IOException("The coordinator is not reached. Retry later.");
    }
    if (context.id().startsWith("urn:silent")) {
      WAITING.incrementAndGet();
      try {
        SILENT.get().await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      throw new IOException("The coordinator was silent.");
    }
    if (context.id().startsWith("urn:defective")) {
      throw new IllegalStateException("a defect of the protocol's adapter");
    }
    return context.id().getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void registered(String transaction, byte[] registration) {
    if (!transaction.equals(new String(registration, StandardCharsets.UTF_8))) {
      throw new AssertionError(transaction);
    }
    List<TransactionParticipant> registered = REGISTERED.computeIfAbsent(transaction, id -> new CopyOnWriteArrayList<>());
    if (!registered.contains(participant)) {
      registered.add(participant);
    }
  }

  @Override
  public void ended(String transaction) {
    // A coordinator may go on to send.
  }

  @Override
  public void started(TransactionParticipant replica) {
    participant = replica;
  }
}
