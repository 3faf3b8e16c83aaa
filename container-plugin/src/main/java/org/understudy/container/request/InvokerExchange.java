package org.understudy.container.request;

import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.security.Principal;
import javax.xml.namespace.QName;
import org.understudy.container.caller.ConcurrencyLimiter;
import org.understudy.container.forwarding.http.Forwarding;
import org.understudy.container.response.Answers;
import org.understudy.container.response.BoundedContent;
import org.understudy.container.response.CapturedResponse;
import org.understudy.container.response.Disposition;
import org.understudy.container.response.ReplyMessage;
import org.understudy.container.response.RetryAdvice;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.runtime.Replica;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.mime.Multipart;

/**
 * An exchange that is replicated behind CXF's interceptors. CXF authenticates the message and finds its operation.
 * The invoker then submits the request and continues the chain with the reply, so that each reply passes CXF's outgoing
 * interceptors. A waiting exchange holds no thread: the request is asynchronous and the chain suspended.
 */
public final class InvokerExchange extends Exchange {
  private static final String ATTRIBUTE = InvokerExchange.class.getName();

  /** The next action of CXF's chain. */
  public enum Next {
    /** Sends the envelope, a result. */
    RESULT,
    /** Sends the envelope, a fault. */
    FAULT,
    /** Sends the fault for a request without a result. */
    REFUSAL,
    /** Waits: another thread passes the request to CXF again. */
    SUSPEND,
    /** Ends without a message: the client has been answered. */
    END
  }

  /** Calls the method of the service. */
  @FunctionalInterface
  public interface Method {
    /**
     * Executes the method, or the next part of a suspended execution.
     *
     * @param execution the request of this execution, which {@code startAsync} suspends
     * @param captured takes what the service's stack writes; not sent
     * @return the marshalled result or fault; null for an operation without a response, and for a suspended execution
     */
    Marshalled call(HttpServletRequest execution, CapturedResponse captured) throws IOException;
  }

  /**
   * A message before CXF's outgoing interceptors have signed, encrypted or changed it.
   *
   * @param content the message
   */
  public record Marshalled(boolean fault, BoundedContent content, String contentType) {}

  private final RequestIdentity identity;
  private final Multipart.Written written;
  private boolean submitted;
  // Accessed only by the container thread.
  private ReplyMessage reply;
  private Failure refusal;

  InvokerExchange(
      IncomingRequest incoming,
      Replica replica,
      ConcurrencyLimiter limiter,
      Forwarding forwarding,
      RequestIdentity identity) {
    super(incoming, replica, limiter, forwarding);
    this.identity = identity;
    this.written = message.write(envelope.version());
    request.setAttribute(ATTRIBUTE, this);
  }

  /**
   * Returns the exchange of a request that came through the filter, or null.
   *
   * @param request the transport's request, as CXF provides it
   */
  public static InvokerExchange of(Object request) {
    return request instanceof ServletRequest servlet && servlet.getAttribute(ATTRIBUTE) instanceof InvokerExchange exchange
        ? exchange
        : null;
  }

  /** Passes the request to CXF. */
  @Override
  void proceed(FilterChain chain) throws IOException, ServletException {
    try {
      chain.doFilter(new ReadRequest(request, written, service().execution().pathWithoutResource(endpoint)), response);
      if (!isAsynchronous() && !response.isCommitted()) {
        // CXF could not send the response, for example sign it. An empty response would look like a result.
        Answers.refuseUnsent(response, submitted);
      }
    } finally {
      if (!submitted) {
        // An interceptor has responded, for example because the request is not authentic.
        rejected();
      } else if (!isAsynchronous()) {
        giveUp();
      }
    }
  }

  /** Whether the request has been submitted to the replica. */
  public boolean isSubmitted() {
    return submitted;
  }

  /** Whether the principal is the one that the container, and not CXF, has authenticated. */
  public boolean isOfContainer(Principal principal) {
    return principal.equals(request.getUserPrincipal());
  }

  /**
   * Submits the request, once CXF has authenticated it.
   *
   * @param verified header and operation of the message after CXF's interceptors; its digest is not used
   * @param selected the name of the operation that CXF has selected, in the service's contract
   * @param principal the principal that CXF authenticated in the message, or the empty string
   * @param body a cryptographic hash of the Body that the service receives
   * @throws BadEnvelopeException when the operation is unknown, or the request has an unsupported reply endpoint
   */
  public void submit(RequestEnvelope verified, QName selected, String principal, byte[] body) throws BadEnvelopeException {
    String client = caller.principal().isEmpty() ? principal : caller.principal() + "\n" + principal;
    operation = service().operations().selected(selected, verified);
    envelope = verified.withDigest(identity.digest(client, body));
    String resource = service().execution().resourceOf(request, endpoint, envelope);
    Request submittedRequest = RequestMapper.request(identity, envelope, endpoint.path(), resource, operation, caller, client);
    submitted = true;
    replica.submit(submittedRequest, this);
  }

  /** Executes the request if the replica permits it, and returns CXF's next action. */
  public Next invoke(Method method) {
    reply = null;
    refusal = null;
    run((execution, captured) -> {
      ExecutionAttributes.handedOver(execution);
      write(method.call((HttpServletRequest) execution, (CapturedResponse) captured), (CapturedResponse) captured);
    });
    if (reply != null) {
      Answers.markResult(response);
      return reply.isFault() ? Next.FAULT : Next.RESULT;
    }
    if (refusal != null) {
      Disposition.write(response, refusal.code());
      return Next.REFUSAL;
    }
    return isAsynchronous() ? Next.SUSPEND : Next.END;
  }

  private static void write(Marshalled message, CapturedResponse captured) {
    if (message != null) {
      // A service that fails after it has resumed its execution leaves two messages: the last one counts.
      captured.setStatus(message.fault() ? 500 : 200);
      captured.setContentType(message.contentType());
      captured.replace(message.content());
    }
  }

  /** The envelope that CXF sends, with the stored Body and headers for this attempt. */
  public byte[] envelope() {
    return reply.envelope();
  }

  /** The attachments beside the envelope, or null. */
  public Multipart attachments() {
    return reply.attachments();
  }

  /** The HTTP status of the envelope. */
  public int status() {
    return reply.status(answers);
  }

  /** Keeps an attribute for CXF until the request is passed to it again. */
  public void keep(String name, Object value) {
    request.setAttribute(name, value);
  }

  /** The HTTP status of the fault of {@link Next#REFUSAL}. */
  public int refusalStatus() {
    return answers.status(envelope.version(), refusal);
  }

  /** The envelope of the fault of {@link Next#REFUSAL}. */
  public byte[] refusalEnvelope() {
    return answers.fault(envelope.version(), refusal, null, envelope.properties());
  }

  /** A fault of the replica bypasses CXF for a stub, which reads it before its own interceptors. */
  @Override
  boolean isSentByContainer(Object result) {
    return result instanceof Reply || result instanceof Failure && envelope.header() == null;
  }

  @Override
  void send(Reply stored, HttpServletResponse to) throws IOException {
    ReplyMessage answer = ReplyMessage.of(stored, envelope, operation);
    if (answer.hasEnvelope(content())) {
      reply = answer;
    } else {
      answer.sendStatus(to, answers);
    }
  }

  @Override
  void send(Failure failure, HttpServletResponse to) throws IOException {
    if (failure.code() == FailureCode.StillPending || envelope.header() != null || !content().fault()) {
      super.send(failure, to);
    } else {
      refusal = RetryAdvice.adapt(failure, envelope, operation);
    }
  }

  @Override
  public String toString() {
    return envelope.operation() + " at " + endpoint.path();
  }
}
