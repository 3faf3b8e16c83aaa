package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices11.ServiceRegistry;
import com.arjuna.webservices11.wsarj.InstanceIdentifier;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.webservices11.wsat.processors.ParticipantProcessor;
import com.arjuna.wsc.CannotRegisterException;
import com.arjuna.wsc.InvalidProtocolException;
import com.arjuna.wsc.InvalidStateException;
import com.arjuna.wsc11.RegistrationCoordinator;
import com.arjuna.wsc11.messaging.MessageId;
import com.arjuna.wst.Durable2PCParticipant;
import com.arjuna.wst11.messaging.engines.ParticipantEngine;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContextType;
import org.understudy.container.transaction.TransactionParticipant;
import org.understudy.thread.DaemonThreads;

/**
 * The transactions in which this replica takes part. Narayana keeps its part of them in static fields, so there is one object at a time for
 * each class loader. Thread-safe.
 */
public final class Registrations implements AutoCloseable {
  /** What the ids of this module's participants begin with. */
  static final String PREFIX = "understudy-";
  private static final int THREADS = 4;
  private static final int MAX_WAITING = 256;

  private static final AtomicReference<Registrations> CURRENT = new AtomicReference<>();
  /** What takes part for this replica; null while it starts. */
  private static final AtomicReference<TransactionParticipant> GROUP = new AtomicReference<>();

  private final Predicate<String> allowed;
  private final Map<String, FutureTask<Void>> byTransaction = new ConcurrentHashMap<>();
  private final ParticipantRecovery recovery = new ParticipantRecovery(this);
  /** Narayana leaves values in the thread locals of threads that send, so a request's thread must not. */
  private final ThreadPoolExecutor senders =
      new ThreadPoolExecutor(
          THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING),
          new DaemonThreads("understudy-wsat-registration-"));

  /** @param allowed whether this server may send to an address that a message names */
  public Registrations(Predicate<String> allowed) {
    this.allowed = allowed;
    senders.allowCoreThreadTimeOut(true);
  }

  /** Returns the object of the running transaction service, or null. */
  static Registrations current() {
    return CURRENT.get();
  }

  static void startFor(TransactionParticipant participant) {
    GROUP.set(participant);
  }

  /** Lets calls find this object. */
  public void open() {
    CURRENT.set(this);
  }

  /** Returns what recovers participants after a restart. */
  public ParticipantRecovery recovery() {
    return recovery;
  }

  boolean mayCall(String address) {
    return allowed.test(address);
  }

  /**
   * Registers this replica at the coordinator, unless it has registered in this transaction. Blocks.
   *
   * @throws IOException when the coordinator cannot be reached or refuses
   */
  void register(String transaction, CoordinationContextType context, TransactionParticipant participant) throws IOException {
    FutureTask<Void> task = new FutureTask<>(() -> registerNow(transaction, context, participant));
    FutureTask<Void> earlier = byTransaction.putIfAbsent(transaction, task);
    boolean registered = false;
    try {
      if (earlier == null) {
        senders.execute(task);
      }
      (earlier == null ? task : earlier).get();
      registered = true;
    } catch (RejectedExecutionException e) {
      throw new IOException("More than " + MAX_WAITING + " registrations wait at this server, or it ends. Retry later.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The server ends.");
    } catch (ExecutionException e) {
      String reason = e.getCause().getMessage();
      throw new IOException(
          "The coordinator of the transaction " + transaction + " cannot be reached, or does not accept this replica as a participant: "
              + reason + ". The transaction may have ended. Begin it again.", e);
    } finally {
      if (!registered) {
        byTransaction.remove(transaction, task);
      }
    }
  }

  private Void registerNow(String transaction, CoordinationContextType context, TransactionParticipant participant)
      throws CannotRegisterException, InvalidProtocolException, InvalidStateException, SoapFault {
    String id = PREFIX + UUID.randomUUID();
    W3CEndpointReference coordinator =
        RegistrationCoordinator.register(
            context, MessageId.getMessageId(), address(id), AtomicTransactionConstants.WSAT_SUB_PROTOCOL_DURABLE_2PC);
    ParticipantProcessor.getProcessor()
        .activateParticipant(new ParticipantEngine(participant(transaction, participant), id, coordinator), id);
    return null;
  }

  private GroupParticipant participant(String transaction, TransactionParticipant group) {
    return new GroupParticipant(transaction, group, () -> byTransaction.remove(transaction));
  }

  /** Makes a participant that was stored; null while the group's part is unknown, and it is then tried again later. */
  Durable2PCParticipant recovered(String transaction) {
    TransactionParticipant group = GROUP.get();
    return group == null ? null : participant(transaction, group);
  }

  private static W3CEndpointReference address(String id) {
    W3CEndpointReferenceBuilder builder = new W3CEndpointReferenceBuilder();
    builder.serviceName(AtomicTransactionConstants.PARTICIPANT_SERVICE_QNAME);
    builder.endpointName(AtomicTransactionConstants.PARTICIPANT_PORT_QNAME);
    builder.address(ServiceRegistry.getRegistry().getServiceURI(AtomicTransactionConstants.PARTICIPANT_SERVICE_NAME));
    InstanceIdentifier.setEndpointInstanceIdentifier(builder, id);
    return builder.build();
  }

  /** Ends its threads. Idempotent. */
  @Override
  public void close() {
    CURRENT.compareAndSet(this, null);
    senders.shutdownNow();
  }
}
