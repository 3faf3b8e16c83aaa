package org.understudy.container.soap;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.soap.ListedView;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseHeader;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;

/** Writes responses: stored results with a new replication header, and messages and faults of the plugin. */
public final class ReplyWriter {
  private ReplyWriter() {}

  /**
   * Writes a result: the stored body, byte for byte, with new headers for this attempt.
   *
   * @param isFault whether the service's response is a fault
   * @param action the action that the contract declares for the response; null for the default action of a fault
   * @param request the response has header blocks of WS-Addressing if the request has
   * @param headerBlocks further header blocks as XML; may be empty
   */
  public static byte[] reply(RequestEnvelope request, Reply reply, boolean isFault, String action, String headerBlocks) {
    EnvelopeWriter envelope = new EnvelopeWriter(request.version());
    String status =
        switch (reply.status()) {
          case EXECUTED -> ResponseHeader.EXECUTED;
          case REPLAYED -> ResponseHeader.REPLAYED;
          case READ -> ResponseHeader.READ;
        };
    ResponseHeader.append(envelope.header(), status, reply.handle(), reply.epoch());
    UUID id = request.properties().used() ? id(request, reply) : null;
    if (isFault) {
      envelope.faultAddressing(action, request.properties(), id);
    } else {
      envelope.addressing(action, request.properties(), id);
    }
    return envelope.blocks(headerBlocks).body(reply.response().body());
  }

  /** Returns the same id each time that the result of a request with an identity is sent, by whichever replica; null for a new one. */
  private static UUID id(RequestEnvelope request, Reply reply) {
    if (!request.hasIdentity() || reply.status() == Reply.Status.READ) {
      return null;
    }
    String sent = request.messageId();
    if (request.header() != null && request.header().session() != null) {
      sent = request.header().session() + " " + request.header().sequence() + " " + sent;
    }
    return UUID.nameUUIDFromBytes((reply.handle().position() + " " + sent).getBytes(StandardCharsets.UTF_8));
  }

  /**
   * Writes a message of the plugin.
   *
   * @param body the content of the Body as XML
   * @param action of the message
   */
  public static byte[] message(SoapVersion version, String body, String action, MessageProperties request) {
    return new EnvelopeWriter(version).addressing(action, request, null).body(body);
  }

  /**
   * Writes the fault of a request without result. The response header also reports the refusal. By it a client distinguishes this
   * fault from a fault of a service that quotes a {@code ReplicationFault} in its detail.
   *
   * @param standard the fault that SOAP or WS-Addressing define for it; null: a fault with the code of sender or receiver only
   * @param view the view of this replica
   * @param declared an XML element for the detail, before the ReplicationFault; empty for none. Clients generated from a contract
   *     identify a fault by the first element
   * @param action the action of the fault; null for the default action of a SOAP fault
   */
  public static byte[] fault(
      SoapVersion version,
      Failure failure,
      SoapFault standard,
      ListedView view,
      String declared,
      String action,
      MessageProperties request) {
    return fault(version, failure, standard, view, 0, declared, action, request);
  }

  /**
   * Writes the fault by which a client is redirected.
   *
   * @param target the number of the replica to which it is to send the request
   */
  public static byte[] redirect(
      SoapVersion version, Failure failure, ListedView view, int target, MessageProperties request) {
    return fault(version, failure, null, view, target, "", null, request);
  }

  private static byte[] fault(
      SoapVersion version,
      Failure failure,
      SoapFault standard,
      ListedView view,
      int target,
      String declared,
      String action,
      MessageProperties request) {
    SoapFault fault = standard != null ? standard : SoapFault.of(code(failure), 0, failure.sentence());
    StringBuilder detail = new StringBuilder(512 + declared.length());
    detail.append(declared).append(fault.detail(version));
    EnvelopeWriter envelope = new EnvelopeWriter(version);
    StringBuilder header = envelope.faultAddressing(action == null ? fault.action() : action, request, null).header();
    boolean withoutDetail = version == SoapVersion.SOAP11 && fault.isOfHeader();
    ReplicationFault.append(header, withoutDetail ? header : detail, failure.code(), view, target);
    header.append(fault.headerBlocks(version));
    return envelope.body(
        EnvelopeWriter.faultBody(version, fault.code(), fault.subcodes(), failure.sentence(), detail.toString()));
  }

  /** Returns the fault code: sender or receiver. */
  public static SoapFault.Code code(Failure failure) {
    return isOfClient(failure.code()) ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER;
  }

  /** Whether the request itself caused the failure. */
  public static boolean isOfClient(FailureCode code) {
    return switch (code) {
      case BadRequest, DigestMismatch, StaleSequence, SessionExpired, TransactionAborted, TransactionOutcomeUnknown -> true;
      default -> false;
    };
  }
}
