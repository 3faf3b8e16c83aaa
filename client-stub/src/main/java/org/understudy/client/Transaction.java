package org.understudy.client;

import jakarta.xml.ws.BindingProvider;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cxf.endpoint.Client;
import org.apache.cxf.frontend.ClientProxy;
import org.apache.cxf.jaxws.DispatchImpl;
import org.understudy.client.connection.Access;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;
import org.understudy.client.envelope.Envelope;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.replication.soap.TransactionReference;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;

/**
 * Several calls that take effect together or not at all. Begin it with a port, include the ports of further services, call them, and
 * commit. Until then, others do not see what the calls changed, and wait for the services or resources that they used. A port is
 * included until the transaction ends; its calls on other threads belong to the transaction too. One call at a time.
 *
 * <p>The group of the first port decides. Services of other groups can be included if {@code understudy.transaction.peers} of both
 * groups lists the other one; otherwise their calls fail as {@link FailureCode#BadRequest}, not executed. Another group shows what was
 * committed a moment after {@link #commit} has returned; its services stay locked until then.
 *
 * <p>If the primary of a group in the transaction fails before the commit, the transaction is lost: the next call or the commit throws
 * {@link InvocationFailedException} (a call as the cause of its {@code WebServiceException}) with {@link
 * FailureCode#TransactionAborted} as its code, everything is undone, and the caller can begin again. A commit is retried at the next
 * primary like any call, and returns its true outcome.
 *
 * <p>Used by one thread.
 */
public final class Transaction implements AutoCloseable {
  private final FaultTolerantGroup group;
  private final Access access;
  private final TransactionReference reference;
  private final List<BindingProvider> ports = new ArrayList<>();
  private boolean ended;

  private Transaction(FaultTolerantGroup group, Access access, TransactionReference reference) {
    this.group = group;
    this.access = access;
    this.reference = reference;
  }

  /**
   * Begins a transaction at the group of a port, and includes the port. Blocks.
   *
   * @param port made by {@link FaultTolerant} or {@link FaultTolerantGroup}, with its user name if it has one
   * @param others to include too, see {@link #include}
   * @throws InvocationFailedException when it was not begun; nothing was executed
   * @throws IllegalArgumentException when an object is no such port
   * @throws IllegalStateException when a port belongs to another transaction
   */
  public static Transaction begin(Object port, Object... others) throws InvocationFailedException {
    FaultTolerantGroup group = conduit(port).group();
    List.of(others).forEach(Transaction::conduit);
    Access access = conduit(port).access(client(port).getRequestContext());
    Answer answer = invoke(group, access, "BeginTransaction", "");
    Transaction begun = new Transaction(group, access, reference(answer));
    try {
      begun.include(port);
      List.of(others).forEach(begun::include);
    } catch (IllegalStateException e) {
      begun.close();
      throw e;
    }
    return begun;
  }

  private static TransactionReference reference(Answer answer) throws InvocationFailedException {
    try {
      String id = AnswerReader.text(answer, "Transaction");
      return new TransactionReference(id == null ? "" : id, AnswerReader.text(answer, "Coordinator"));
    } catch (IOException | IllegalArgumentException e) {
      throw new InvocationFailedException(
          "The service answered BeginTransaction without a valid id", List.of(), Certainty.NOT_EXECUTED, null, e);
    }
  }

  private static ReplicaConduit conduit(Object port) {
    if (port instanceof BindingProvider && client(port) != null
        && client(port).getConduitSelector() instanceof ReplicaConduitSelector selector) {
      return selector.conduit();
    }
    throw new IllegalArgumentException(
        "The object is not a port that FaultTolerant or FaultTolerantGroup has made, so its calls cannot be part of a transaction: "
            + port.getClass().getName());
  }

  /** Returns CXF's client of a port or Dispatch; null if there is none. */
  private static Client client(Object port) {
    if (port instanceof DispatchImpl<?> dispatch) {
      return dispatch.getClient();
    }
    return Proxy.isProxyClass(port.getClass()) && Proxy.getInvocationHandler(port) instanceof ClientProxy proxy ? proxy.getClient() : null;
  }

  /**
   * Makes the calls of another port part of this transaction. Does not block.
   *
   * @param port made by {@link FaultTolerant} or {@link FaultTolerantGroup}, of a service of the same group, with the same user, or of
   *     another group
   * @throws IllegalArgumentException when it is no such port
   * @throws IllegalStateException when it belongs to another transaction, or this one has ended
   */
  public void include(Object port) {
    conduit(port);
    BindingProvider provider = (BindingProvider) port;
    if (ended) {
      throw new IllegalStateException("The transaction " + id() + " has ended.");
    }
    Object before = provider.getRequestContext().putIfAbsent(FaultTolerant.TRANSACTION, this);
    if (before != null && before != this) {
      throw new IllegalStateException("The port belongs to another transaction. Commit or abort that one first.");
    }
    ports.add(provider);
  }

  /** The id, a URI. */
  public String id() {
    return reference.id();
  }

  TransactionReference reference() {
    return reference;
  }

  /**
   * Commits what the calls have changed. Blocks until it is stable. The transaction is over, whatever happens.
   *
   * @throws InvocationFailedException with the code {@link FailureCode#TransactionAborted} when everything was undone; otherwise the
   *     certainty tells what is known
   */
  public void commit() throws InvocationFailedException {
    end("CommitTransaction");
  }

  /**
   * Undoes what the calls have changed. Blocks. The transaction is over, whatever happens: one that cannot be reached is undone by its
   * lifetime.
   *
   * @throws InvocationFailedException when the group did not answer, or has committed the transaction
   */
  public void abort() throws InvocationFailedException {
    end("AbortTransaction");
  }

  private void end(String operation) throws InvocationFailedException {
    if (ended) {
      throw new IllegalStateException("The transaction " + id() + " has ended.");
    }
    leave();
    invoke(group, access, operation, "<ur:Transaction>" + id() + "</ur:Transaction>");
  }

  private void leave() {
    ended = true;
    ports.forEach(port -> port.getRequestContext().remove(FaultTolerant.TRANSACTION, this));
  }

  /**
   * Aborts the transaction unless it has ended.
   *
   * @throws InvocationFailedException as {@link #abort}
   */
  @Override
  public void close() throws InvocationFailedException {
    if (!ended) {
      abort();
    }
  }

  private static Answer invoke(FaultTolerantGroup group, Access access, String operation, String fields)
      throws InvocationFailedException {
    byte[] envelope = new EnvelopeWriter(SoapVersion.SOAP11).body(ReplicationNames.open(operation) + fields + "</ur:" + operation + ">");
    Map<String, String> headers = new HashMap<>();
    headers.put("SOAPAction", '"' + ReplicationNames.action(operation) + '"');
    OutgoingMessage message =
        new SharedEnvelope(Envelope.of(envelope, envelope.length), "text/xml; charset=UTF-8", new HttpFields(headers, null));
    group.admit();
    return group.invoke(
        new Invocation(
            message, access, CallTimeouts.OF_THE_GROUP, ResourcePath.SERVICE, null, null,
            System.nanoTime() + group.config().deadline().toNanos()));
  }
}
