package org.understudy.wsat.participant;

import com.arjuna.webservices.SoapFault;
import com.arjuna.webservices11.wsarj.InstanceIdentifier;
import com.arjuna.webservices11.wsat.AtomicTransactionConstants;
import com.arjuna.wsc.CannotRegisterException;
import com.arjuna.wsc.InvalidProtocolException;
import com.arjuna.wsc.InvalidStateException;
import com.arjuna.wsc11.RegistrationCoordinator;
import com.arjuna.wsc11.messaging.MessageId;
import jakarta.xml.ws.wsaddressing.W3CEndpointReference;
import jakarta.xml.ws.wsaddressing.W3CEndpointReferenceBuilder;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import java.util.function.Predicate;
import javax.xml.stream.XMLStreamException;
import org.apache.cxf.staxutils.StaxUtils;
import org.apache.cxf.ws.addressing.Names;
import org.oasis_open.docs.ws_tx.wscoor._2006._06.CoordinationContextType;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;
import org.w3c.dom.Document;
import org.w3c.dom.NodeList;

/**
 * Registers the replicas of this group at coordinators. Narayana is static, so there is one object at a time for each class loader.
 * Thread-safe.
 */
public final class Registrations implements AutoCloseable {
  private static final int THREADS = 4;
  private static final int MAX_WAITING = 256;
  /** Characters of a coordinator's endpoint reference. */
  private static final int MAX_REFERENCE = 4_000;

  private static final AtomicReference<Registrations> CURRENT = new AtomicReference<>();

  private final Predicate<String> allowed;
  private final IntFunction<String> endpoints;
  /** Narayana leaves values in the thread locals of threads that send, so a request's thread must not. */
  private final ThreadPoolExecutor senders =
      new ThreadPoolExecutor(
          THREADS, THREADS, 10, TimeUnit.SECONDS, new ArrayBlockingQueue<>(MAX_WAITING),
          new DaemonThreads("understudy-wsat-registration-"));

  /**
   * @param allowed whether this server may send to an address that a message names
   * @param endpoints the address of each replica's ParticipantService
   */
  public Registrations(Predicate<String> allowed, IntFunction<String> endpoints) {
    this.allowed = allowed;
    this.endpoints = endpoints;
    senders.allowCoreThreadTimeOut(true);
  }

  /** Returns the object of the running transaction service, or null. */
  static Registrations current() {
    return CURRENT.get();
  }

  /** Lets calls find this object. */
  public void open() {
    CURRENT.set(this);
  }

  boolean mayCall(String address) {
    return allowed.test(address);
  }

  /**
   * Registers each replica at the coordinator, the first one before the others: its vote has to be asked for first. Blocks.
   *
   * @throws IOException when the coordinator cannot be reached or refuses; replicas that it has registered vote to abort
   */
  Registration register(String transaction, CoordinationContextType context, List<Integer> replicas) throws IOException {
    Map<Integer, Registration.Member> members = new TreeMap<>();
    members.put(replicas.get(0), await(transaction, submit(context, replicas.get(0))));
    List<Future<Registration.Member>> others = new ArrayList<>();
    for (int replica : replicas.subList(1, replicas.size())) {
      others.add(submit(context, replica));
    }
    for (int i = 0; i < others.size(); i++) {
      members.put(replicas.get(i + 1), await(transaction, others.get(i)));
    }
    return new Registration(transaction, members);
  }

  private Future<Registration.Member> submit(CoordinationContextType context, int replica) throws IOException {
    try {
      return senders.submit(() -> register(context, replica));
    } catch (RejectedExecutionException e) {
      throw new IOException("More than " + MAX_WAITING + " registrations wait at this server, or it ends. Retry later.", e);
    }
  }

  private static Registration.Member await(String transaction, Future<Registration.Member> registering) throws IOException {
    try {
      return registering.get();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("The server ends.");
    } catch (ExecutionException e) {
      String reason = e.getCause().getMessage();
      throw new IOException(
          "The coordinator of the transaction " + transaction + " cannot be reached, or does not accept this group as a participant: "
              + reason + ". The transaction may have ended. Begin it again.", e);
    }
  }

  private Registration.Member register(CoordinationContextType context, int replica)
      throws CannotRegisterException, InvalidProtocolException, InvalidStateException, SoapFault, IOException {
    String id = GroupParticipants.PREFIX + UUID.randomUUID();
    String coordinator =
        RegistrationCoordinator.register(
            context, MessageId.getMessageId(), reference(endpoints.apply(replica), id),
            AtomicTransactionConstants.WSAT_SUB_PROTOCOL_DURABLE_2PC).toString();
    if (coordinator.length() > MAX_REFERENCE) {
      throw new IOException("its endpoint reference is longer than " + MAX_REFERENCE + " characters");
    }
    requireAllowed(coordinator);
    return new Registration.Member(id, coordinator);
  }

  private void requireAllowed(String coordinator) throws IOException {
    try {
      Document reference = StaxUtils.read(new StringReader(coordinator));
      NodeList addresses = reference.getElementsByTagNameNS(Names.WSA_NAMESPACE_NAME, Names.WSA_ADDRESS_NAME);
      String address = addresses.getLength() == 0 ? "" : addresses.item(0).getTextContent().strip();
      if (!mayCall(address)) {
        throw new IOException(
            "its endpoint's address is \"" + address + "\", and this server may not call that host (understudy.wsat.hosts)");
      }
    } catch (XMLStreamException e) {
      throw new IOException("its endpoint reference is invalid", e);
    }
  }

  /** The endpoint of a participant. */
  static W3CEndpointReference reference(String address, String id) {
    W3CEndpointReferenceBuilder builder = new W3CEndpointReferenceBuilder();
    builder.serviceName(AtomicTransactionConstants.PARTICIPANT_SERVICE_QNAME);
    builder.endpointName(AtomicTransactionConstants.PARTICIPANT_PORT_QNAME);
    builder.address(address);
    InstanceIdentifier.setEndpointInstanceIdentifier(builder, id);
    return builder.build();
  }

  /** Ends its threads. Idempotent. */
  @Override
  public void close() {
    CURRENT.compareAndSet(this, null);
    senders.shutdownNow();
    Threads.join("The threads that register participants", senders);
  }
}
