package org.understudy.client.envelope;

import java.nio.charset.StandardCharsets;

/**
 * A request of a session or failover operation: a SOAP 1.1 envelope and its action.
 *
 * @param action the SOAPAction, unquoted
 * @param bytes the envelope
 */
public record SessionRequest(String action, byte[] bytes) {

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

  /** The envelope with the wish to be forwarded to a replica that serves it. */
  public byte[] forwarded() {
    String header = "<soap:Header><ur:ReplicationHeader xmlns:ur=\"" + AnswerReader.NAMESPACE
        + "\"><ur:Forward>true</ur:Forward></ur:ReplicationHeader></soap:Header>";
    String envelope = new String(bytes, StandardCharsets.UTF_8);
    return envelope.replaceFirst("<soap:Body>", header + "<soap:Body>").getBytes(StandardCharsets.UTF_8);
  }

  private static SessionRequest of(String operation, String fields) {
    String envelope = "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body><ur:" + operation
        + " xmlns:ur=\"" + AnswerReader.NAMESPACE + "\">" + fields + "</ur:" + operation + "></soap:Body></soap:Envelope>";
    return new SessionRequest(AnswerReader.NAMESPACE + "/" + operation, envelope.getBytes(StandardCharsets.UTF_8));
  }
}
