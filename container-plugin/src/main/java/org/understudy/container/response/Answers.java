package org.understudy.container.response;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Instant;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.configuration.Configuration;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.ReplyWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.Certainty;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.soap.ListedView;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;
import org.understudy.wsrf.operation.StandardOperation;

/** Writes the responses that the container generates. Its faults contain the current view; each response is one write. */
public final class Answers {
  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

  /** The bit of a stored response's format for a fault. */
  static final byte FAULT = 1;
  /** The bit for SOAP 1.2. */
  static final byte SOAP12 = 2;
  /** The bit for an operation without a response. */
  public static final byte ONE_WAY = 4;
  /** The bit for a body packed with attachments, see {@link Multipart#pack}. */
  public static final byte MULTIPART = 32;
  /** The bit for header blocks of the service before the body, see {@link ResponseBody#pack}. */
  public static final byte HEADERS = 64;
  /** The bits for the family of a fault. */
  private static final int FAMILY = 3 << 3;

  /** The HTTP header with the reason of a fault whose envelope is not sent. */
  static final String REASON = "Understudy-Reason";

  /** The request attribute that holds the response of a completed asynchronous exchange. */
  private static final String UNSENT = Answers.class.getName() + ".unsent";

  private static final int MAX_REASON_CHARS = 500;
  private static final byte[] NOTHING = {};
  private static final DeclaredFault.Family[] FAMILIES = DeclaredFault.Family.values();

  private final Configuration configuration;
  private final Replica replica;
  private final Supplier<String> servicePath;

  /** @param servicePath returns the path from the context's URL to the service, for example {@code /services/CounterService} */
  public Answers(Configuration configuration, Replica replica, Supplier<String> servicePath) {
    this.configuration = configuration;
    this.replica = replica;
    this.servicePath = servicePath;
  }

  /** Returns the format of a response, a combination of bits such as {@link #FAULT}. */
  public static byte format(SoapVersion version, DeclaredFault.Family fault) {
    int format = version == SoapVersion.SOAP12 ? SOAP12 : 0;
    return (byte) (fault == null ? format : format | FAULT | fault.ordinal() << 3);
  }

  /** Returns the action of the fault in a response of this format. */
  static String faultAction(byte format) {
    return FAMILIES[Math.min(FAMILIES.length - 1, (format & FAMILY) >> 3)].action();
  }

  public boolean timingHeader() {
    return configuration.timingHeader();
  }

  /** Returns all replicas with the request classes they serve: members in their order, then those outside the view. */
  public ListedView view(Assignment assignment) {
    String path = servicePath.get();
    return ReplicaAddresses.of(assignment, configuration.replicas(), id -> configuration.clientUrl(id) + path);
  }

  /**
   * Returns the envelope of a fault of the container.
   *
   * @param action null for the action of a fault that no contract declares
   */
  public byte[] fault(SoapVersion version, Failure failure, String action, MessageProperties request) {
    Assignment known = replica.routing().assignment();
    return ReplyWriter.fault(
        version, failure, null, view(known), "", action, request);
  }

  /** Sends the fault for an invalid request. */
  public void refuse(HttpServletResponse response, BadEnvelopeException why, String action) throws IOException {
    Assignment known = replica.routing().assignment();
    SoapVersion version = why.version();
    int status = why.fault().httpStatus(version, configuration.senderFaultStatus());
    Disposition.write(response, FailureCode.BadRequest);
    if (why.properties().faultTo() == MessageProperties.Target.NONE) {
      reason(response, status, why.getMessage());
      return;
    }
    Failure failure = new Failure(FailureCode.BadRequest, why.getMessage());
    byte[] bytes =
        ReplyWriter.fault(
            version, failure, why.fault(), view(known), "", action, why.properties());
    send(response, status, version, bytes);
  }

  /** Returns the HTTP status of a fault of the container. */
  public int status(SoapVersion version, Failure failure) {
    return status(version, ReplyWriter.code(failure));
  }

  /** Returns the HTTP status of a fault with this code. */
  int status(SoapVersion version, SoapFault.Code code) {
    return version.httpStatus(code, configuration.senderFaultStatus());
  }

  /**
   * Returns the fault for a request without a result. If a standard declares a fault for a temporary failure, the container's
   * fault also contains that one.
   *
   * @param operation null for one of the service's own operations
   */
  private byte[] fault(SoapVersion version, Failure failure, StandardOperation operation, MessageProperties request) {
    Assignment known = replica.routing().assignment();
    DeclaredFault declared = operation == null || !isTemporary(failure.code()) ? null : declared(failure, operation);
    return ReplyWriter.fault(
        version,
        failure,
        null,
        view(known),
        declared == null ? "" : declared.detail(),
        declared == null ? null : declared.family().action(),
        request);
  }

  private static DeclaredFault declared(Failure failure, StandardOperation operation) {
    return failure.code() == FailureCode.Overloaded
        ? operation.full(failure.sentence(), Instant.now())
        : operation.unavailable(failure.sentence(), Instant.now());
  }

  /** Sends the fault for a request without a result, or its status alone. */
  public void send(
      HttpServletResponse response,
      RequestEnvelope envelope,
      Operation operation,
      Failure reported,
      ResponseContent content)
      throws IOException {
    Failure failure = RetryAdvice.adapt(reported, envelope, operation);
    SoapVersion version = envelope.version();
    int status = status(version, failure);
    Disposition.write(response, failure.code());
    if (content.fault()) {
      send(response, status, version, fault(version, failure, operation.standard(), envelope.properties()));
    } else {
      reason(response, status, failure.sentence());
    }
  }

  /** Sends the fault by which the client of a request is redirected to the target. */
  public void redirect(HttpServletResponse response, RequestEnvelope envelope, ReplicaId target) throws IOException {
    Failure failure =
        new Failure(
            FailureCode.Redirected,
            "Replica " + configuration.self() + " has more to do than replica " + target + ". Nothing was executed. Send the request to "
                + "that replica.");
    SoapVersion version = envelope.version();
    ListedView view = view(replica.routing().assignment());
    byte[] fault = ReplyWriter.redirect(version, failure, view, target.number(), envelope.properties());
    send(response, failure.code(), status(version, failure), version, fault);
  }

  /** Whether nothing was executed, and a retry may succeed. */
  private static boolean isTemporary(FailureCode code) {
    return code.certainty() == Certainty.NOT_EXECUTED && !code.isTerminal();
  }

  /**
   * Completes an asynchronous exchange, whose response a thread of the container sends. Has no effect if the container has completed it
   * because its connection broke.
   */
  public static void complete(AsyncContext async) {
    try {
      async.getRequest().setAttribute(UNSENT, async.getResponse());
      async.complete();
    } catch (IllegalStateException e) {
      LOG.debug("The client has closed its connection.", e);
    }
  }

  /**
   * Sends what is left of the response of an exchange that {@link #complete} has ended. Blocks on the client, and keeps the container from
   * its other work for the request: only where the server stops.
   */
  public static void sendCompleted(ServletRequest request) {
    if (request.getAttribute(UNSENT) instanceof ServletResponse response) {
      try {
        response.getOutputStream().close();
      } catch (IOException | IllegalStateException e) {
        LOG.debug("The client has closed its connection, or the response is not one of bytes.", e);
      }
    }
  }

  /** Sends a result of a request, or a fault of the service. */
  public static void result(HttpServletResponse response, int status, String contentType, byte[] bytes) throws IOException {
    Disposition.write(response, null);
    send(response, status, contentType, bytes);
  }

  /**
   * Sends an HTTP error instead of a message that could not be sent, for example because it could not be signed, or because its endpoint
   * was stopped. Replaces what is in the response.
   *
   * @param submitted whether the request may have been executed; a retry is useful only then
   */
  public static void refuseUnsent(HttpServletResponse response, boolean submitted) throws IOException {
    // CXF may have begun a page that names the missing endpoint.
    response.reset();
    if (submitted) {
      reason(
          response, HttpServletResponse.SC_INTERNAL_SERVER_ERROR,
          "The answer could not be sent. See the server's log for the reason. Retry with the same request id.");
    } else {
      reason(
          response, HttpServletResponse.SC_FORBIDDEN,
          "The request was rejected and not executed. The fault with the reason could not be sent. See the server's log.");
    }
  }

  /** Sends the status of a fault without the envelope, with the reason in a header. */
  public static void reason(HttpServletResponse response, int status, String reason) throws IOException {
    StringBuilder text = new StringBuilder(Math.min(reason.length(), MAX_REASON_CHARS));
    for (int i = 0; i < reason.length() && i < MAX_REASON_CHARS; i++) {
      char c = reason.charAt(i);
      text.append(c < ' ' || c > '~' ? '?' : c);
    }
    response.setHeader(REASON, text.toString());
    send(response, status, (String) null, NOTHING);
  }

  /** Sends the fault for a request whose operation is not known yet. */
  public void refuse(HttpServletResponse response, SoapVersion version, Failure failure) throws IOException {
    Disposition.write(response, failure.code());
    send(response, status(version, failure), version, fault(version, failure, (String) null, MessageProperties.UNUSED));
  }

  /**
   * Sends a response that the container generates: one write with its length, flushed at once.
   *
   * @param refused the reason why there is no result; null for a result
   */
  public static void send(
      HttpServletResponse response, FailureCode refused, int status, SoapVersion version, byte[] bytes)
      throws IOException {
    Disposition.write(response, refused);
    send(response, status, version.contentType(), bytes);
  }

  /** Marks a response whose content is sent later as a result. */
  public static void markResult(HttpServletResponse response) {
    Disposition.write(response, null);
  }

  /** Sends the status of a response whose reply endpoint is {@code none}. */
  public static void sendStatus(HttpServletResponse response, FailureCode refused, int status) throws IOException {
    Disposition.write(response, refused);
    send(response, status, (String) null, NOTHING);
  }

  /** Sends an HTTP error without an envelope, for a request that is not a message of any operation. */
  public static void refuse(HttpServletResponse response, int status, String why) throws IOException {
    Disposition.write(response, FailureCode.BadRequest);
    response.sendError(status, why);
  }

  private static void send(HttpServletResponse response, int status, SoapVersion version, byte[] bytes)
      throws IOException {
    send(response, status, version.contentType(), bytes);
  }

  /** @param contentType null for a response without content */
  public static void send(HttpServletResponse response, int status, String contentType, byte[] bytes) throws IOException {
    response.setStatus(status);
    if (contentType != null) {
      response.setContentType(contentType);
    }
    response.setContentLength(bytes.length);
    response.getOutputStream().write(bytes);
    response.flushBuffer();
  }
}
