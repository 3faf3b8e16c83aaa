package org.understudy.simulation;

import java.nio.charset.StandardCharsets;
import org.understudy.container.caller.Caller;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.replication.soap.ReplicationHeader;

/**
 * A request on its way: the bytes of its envelope, and beside them what HTTP carries and what the service needs to know for
 * the checkers.
 *
 * @param kind UPDATE or READ for the service, an operation on a session, or null: it waits for a view
 * @param epoch of the view that is known to who waits for the next one; otherwise 0
 * @param session of a session operation: its nonce or its id; otherwise null
 * @param resource as in the URL, or null
 * @param declaredLevel the level of reads of the operation; null for an update
 * @param operation for the checkers; null for a session operation
 * @param identified whether a copy is recognised as one
 * @param forwardedBy the replica that sent it, or 0
 */
record ServiceRequest(
    Request.Kind kind,
    long epoch,
    byte[] envelope,
    SessionId session,
    Caller caller,
    String resource,
    ReadLevel declaredLevel,
    Operation operation,
    String note,
    boolean identified,
    int forwardedBy) {

  /** A request for the service. */
  static ServiceRequest of(Operation operation, Caller caller, String headers, String note, boolean identified) {
    ReadLevel declaredLevel = operation.update() ? null : operation.level();
    String resource = operation.resource().isEmpty() ? null : operation.resource();
    String body = "<c:" + operation.action() + " xmlns:c=\"urn:counter\">" + operation.amount() + "</c:" + operation.action() + ">";
    return new ServiceRequest(
        operation.update() ? Request.Kind.UPDATE : Request.Kind.READ, 0, envelope(headers, body), null, caller, resource, declaredLevel,
        operation, note, identified, 0);
  }

  /** A request about a session. */
  static ServiceRequest ofSession(Request.Kind kind, SessionId session, Caller caller, boolean forward) {
    String headers = forward
        ? ReplicationHeader.FORWARD_ONLY
        : "";
    return new ServiceRequest(kind, 0, envelope(headers, ""), session, caller, null, null, null, "", true, 0);
  }

  /** A request that is answered when there is a newer view than the one with this epoch. */
  static ServiceRequest awaitView(long epoch, Caller caller) {
    return new ServiceRequest(null, epoch, envelope("", ""), null, caller, null, null, null, "", true, 0);
  }

  /** Of its body, in bytes. */
  int length() {
    return envelope.length;
  }

  ServiceRequest forwardedBy(int replica) {
    return new ServiceRequest(
        kind, epoch, envelope, session, caller, resource, declaredLevel, operation, note, identified, replica);
  }

  private static byte[] envelope(String headers, String body) {
    return ("<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Header>" + headers
        + "</soap:Header><soap:Body>" + body + "</soap:Body></soap:Envelope>").getBytes(StandardCharsets.UTF_8);
  }
}
