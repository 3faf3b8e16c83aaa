package org.understudy.container.soap;

import java.util.List;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Reply;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;

/** Writes answers: stored results under a replication header made anew, and faults of the plugin. */
public final class ReplyWriter {
  private static final String UR = " xmlns:ur=\"" + ReplicationHeader.NAMESPACE + "\"";

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
    StringBuilder head = envelope.header();
    head.append("<ur:ReplicationHeader").append(UR).append("><ur:Status>");
    head.append(
        switch (reply.status()) {
          case EXECUTED -> "executed";
          case REPLAYED -> "replayed";
          case READ -> "read";
        });
    // Stubs that know no scopes read VersionHandle alone.
    String handle = reply.handle().isOfGroup() ? "ur:VersionHandle>" : "ur:ScopedHandle>";
    head.append("</ur:Status><").append(handle).append(reply.handle()).append("</").append(handle);
    head.append("<ur:Epoch>").append(reply.epoch());
    head.append("</ur:Epoch></ur:ReplicationHeader>");
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
   * @param view the children of Alternatives, from {@link Replicas}
   * @param declared an element that stands in the detail before our own, ready as text; empty for none. Clients made from
   *     a contract know a fault by the first
   * @param action of the fault; null for that of a fault of SOAP's own
   */
  public static byte[] fault(
      SoapVersion version,
      Failure failure,
      SoapFault standard,
      long epoch,
      List<Replicas.Address> view,
      String declared,
      String action,
      MessageProperties request) {
    SoapFault fault = standard != null ? standard : SoapFault.of(code(failure), 0, failure.sentence());
    StringBuilder detail = new StringBuilder(512 + declared.length());
    detail.append(declared).append(fault.detail(version));
    detail.append("<ur:ReplicationFault").append(UR).append("><ur:Code>").append(failure.code());
    detail.append("</ur:Code><ur:Executed>").append(executed(failure.code())).append("</ur:Executed><ur:Epoch>");
    detail.append(epoch).append("</ur:Epoch><ur:Alternatives>");
    Replicas.append(detail, view);
    detail.append("</ur:Alternatives></ur:ReplicationFault>");
    EnvelopeWriter envelope = new EnvelopeWriter(version);
    envelope.addressing(action == null ? fault.action() : action, request).header()
        .append("<ur:ReplicationHeader").append(UR).append("><ur:Status>refused</ur:Status><ur:Epoch>")
        .append(epoch).append("</ur:Epoch></ur:ReplicationHeader>").append(fault.headerBlocks(version));
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

  private static String executed(FailureCode code) {
    return switch (code.certainty()) {
      case NOT_EXECUTED -> "no";
      case EXECUTED -> "yes";
      case PENDING -> "pending";
      case UNKNOWN -> "unknown";
    };
  }
}
