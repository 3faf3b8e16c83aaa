package org.understudy.client;

import jakarta.xml.ws.BindingProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cxf.frontend.ClientProxy;
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
 * Several calls that take effect together or not at all. Begin it with a port, include further ports of services of the same group, call
 * them, and commit. Until then, others do not see what the calls changed, and wait for the services or resources that they used. A port is
 * included until the transaction ends; its calls on other threads belong to the transaction too. One call at a time.
 *
 * <p>If the primary fails, the transaction is lost: the next call or the commit throws {@link InvocationFailedException} with {@link
 * FailureCode#TransactionAborted} as its code, everything is undone, and the caller can begin again. A commit is retried at the next
 * primary like any call, and returns its true outcome.
 *
 * <p>Used by one thread.
 */
public final class Transaction implements AutoCloseable {
  private final FaultTolerantGroup group;
  private final String authorization;
  private final TransactionReference reference;
  private final List<BindingProvider> ports = new ArrayList<>();
  private boolean ended;

  private Transaction(FaultTolerantGroup group, String authorization, TransactionReference reference) {
    this.group = group;
    this.authorization = authorization;
    this.reference = reference;
  }

  /**
   * Begins a transaction at the group of a port, and includes the port. Blocks.
   *
   * @param port made by {@link FaultTolerant} or {@link FaultTolerantGroup}, with its user name if it has one
   * @throws InvocationFailedException when it was not begun; nothing was executed
   * @throws IllegalArgumentException when the object is no such port
   */
  public static Transaction begin(Object port) throws InvocationFailedException {
    if (!(port instanceof BindingProvider provider)
        || !(ClientProxy.getClient(port).getConduitSelector() instanceof ReplicaConduitSelector selector)) {
      throw new IllegalArgumentException("The object is not a fault-tolerant port: " + port.getClass().getName());
    }
    FaultTolerantGroup group = selector.conduit().group();
    String authorization = ReplicaConduit.authorization(provider.getRequestContext());
    Answer answer = invoke(group, authorization, "BeginTransaction", "");
    try {
      String id = AnswerReader.text(answer, "Transaction");
      Transaction begun = new Transaction(group, authorization, new TransactionReference(id, null));
      begun.include(port);
      return begun;
    } catch (IOException | IllegalArgumentException e) {
      throw new InvocationFailedException(
          "The service answered BeginTransaction without an id", List.of(), Certainty.NOT_EXECUTED, null, e);
    }
  }

  /**
   * Makes the calls of another port part of this transaction.
   *
   * @param port of a service of the same group, with the same user
   * @throws IllegalArgumentException when it is no port
   * @throws IllegalStateException when it belongs to another transaction, or this one has ended
   */
  public void include(Object port) {
    if (!(port instanceof BindingProvider provider)) {
      throw new IllegalArgumentException("The object is not a port: " + port.getClass().getName());
    }
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
    invoke(group, authorization, operation, "<ur:Transaction>" + id() + "</ur:Transaction>");
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

  private static Answer invoke(FaultTolerantGroup group, String authorization, String operation, String fields)
      throws InvocationFailedException {
    byte[] envelope = new EnvelopeWriter(SoapVersion.SOAP11).body(ReplicationNames.open(operation) + fields + "</ur:" + operation + ">");
    Map<String, String> headers = new HashMap<>();
    headers.put("SOAPAction", '"' + ReplicationNames.action(operation) + '"');
    OutgoingMessage message =
        new SharedEnvelope(Envelope.of(envelope, envelope.length), "text/xml; charset=UTF-8", new HttpFields(headers, null));
    group.admit();
    return group.invoke(
        new Invocation(
            message, authorization, ResourcePath.SERVICE, null, null, System.nanoTime() + group.config().deadline().toNanos()));
  }
}
