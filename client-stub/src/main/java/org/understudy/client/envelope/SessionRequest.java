package org.understudy.client.envelope;

import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.replication.soap.ReplicationNames;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;

/**
 * A request of a session or failover operation: a SOAP 1.1 envelope and its action.
 *
 * @param action the SOAPAction, unquoted
 * @param content of the Body
 */
public record SessionRequest(String action, String content) {
  /** The same nonce gives the same session, however often it is sent. */
  public static SessionRequest open(String nonce) {
    return of("OpenSession", "<ur:Nonce>" + nonce + "</ur:Nonce>");
  }

  public static SessionRequest renew(String session) {
    return of("RenewSession", "<ur:Session>" + session + "</ur:Session>");
  }

  public static SessionRequest close(String session) {
    return of("CloseSession", "<ur:Session>" + session + "</ur:Session>");
  }

  public static SessionRequest awaitView(long epoch, long holdSeconds) {
    return of("AwaitView", "<ur:Epoch>" + epoch + "</ur:Epoch><ur:HoldSeconds>" + holdSeconds + "</ur:HoldSeconds>");
  }

  /** The envelope. */
  public byte[] bytes() {
    return new EnvelopeWriter(SoapVersion.SOAP11).body(content);
  }

  /** The envelope with a request to be forwarded to a replica that serves it. */
  public byte[] forwarded() {
    return new EnvelopeWriter(SoapVersion.SOAP11).blocks(ReplicationHeader.FORWARD_ONLY).body(content);
  }

  private static SessionRequest of(String operation, String fields) {
    String content = ReplicationNames.open(operation) + fields + "</ur:" + operation + ">";
    return new SessionRequest(ReplicationNames.action(operation), content);
  }
}
