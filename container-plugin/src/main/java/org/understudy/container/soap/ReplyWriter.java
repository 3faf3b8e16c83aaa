package org.understudy.container.soap;

import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.replication.soap.ListedView;
import org.understudy.replication.soap.ReplicationFault;
import org.understudy.replication.soap.ResponseHeader;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;

/** Writes answers: stored results under a replication header made anew, and faults of the plugin. */
public final class ReplyWriter {
  private ReplyWriter() {}

  /**
   * A result: the stored body, byte for byte, under headers made anew for this attempt.
   *
   * @param action of the response as declared in the contract; null for that of a fault that the contract gives none
   * @param request the answer has WS-Addressing's header blocks when the request has
   * @param headerBlocks further ones, ready as text; may be empty
   */
  public static byte[] reply(
      SoapVersion version, Reply reply, String action, MessageProperties request, String headerBlocks) {
    EnvelopeWriter envelope = new EnvelopeWriter(version);
    String status =
        switch (reply.status()) {
          case EXECUTED -> ResponseHeader.EXECUTED;
          case REPLAYED -> ResponseHeader.REPLAYED;
          case READ -> ResponseHeader.READ;
        };
    ResponseHeader.append(envelope.header(), status, reply.handle(), reply.epoch());
    return envelope.addressing(action, request).blocks(headerBlocks).body(reply.response().body());
  }

  /**
   * A message of ours.
   *
   * @param body the content of its body, ready as text
   * @param action as for {@link #reply}
   */
  public static byte[] message(SoapVersion version, String body, String action, MessageProperties request) {
    return new EnvelopeWriter(version).addressing(action, request).body(body);
  }

  /**
   * A request without result. The response header says so too: by that a client tells it from a fault of a service that
   * quotes a {@code ReplicationFault} in its detail.
   *
   * @param standard what SOAP or WS-Addressing call it; null: no more than whose fault it is
   * @param view as this replica knows it
   * @param declared an element that stands in the detail before our own, ready as text; empty for none. Clients made from
   *     a contract know a fault by the first
   * @param action of the fault; null for that of a fault of SOAP's own
   */
  public static byte[] fault(
      SoapVersion version,
      Failure failure,
      SoapFault standard,
      ListedView view,
      String declared,
      String action,
      MessageProperties request) {
    SoapFault fault = standard != null ? standard : SoapFault.of(code(failure), 0, failure.sentence());
    StringBuilder detail = new StringBuilder(512 + declared.length());
    detail.append(declared).append(fault.detail(version));
    EnvelopeWriter envelope = new EnvelopeWriter(version);
    StringBuilder header = envelope.addressing(action == null ? fault.action() : action, request).header();
    ReplicationFault.append(header, detail, failure.code(), view);
    header.append(fault.headerBlocks(version));
    return envelope.body(
        EnvelopeWriter.faultBody(version, fault.code(), fault.subcodes(), failure.sentence(), detail.toString()));
  }

  /** Whose fault it is that a request has no result. */
  public static SoapFault.Code code(Failure failure) {
    return isOfClient(failure.code()) ? SoapFault.Code.SENDER : SoapFault.Code.RECEIVER;
  }

  /** Whether the request was wrong, rather than this replica unable. */
  public static boolean isOfClient(FailureCode code) {
    return switch (code) {
      case BadRequest, DigestMismatch, StaleSequence, SessionExpired -> true;
      default -> false;
    };
  }
}
