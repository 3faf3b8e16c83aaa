package org.understudy.container.soap;

import java.util.List;
import javax.xml.namespace.QName;
import org.understudy.replication.soap.ReplicationHeader;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.MessageProperties;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.w3c.dom.Element;

/**
 * The parts of a request that the plugin reads before the service.
 *
 * @param operation the body's first element, or null when the body is empty
 * @param header null when the client sent none
 * @param properties the header blocks of WS-Addressing, not checked yet
 * @param notUnderstood mustUnderstand blocks that the plugin does not understand; the service's stack may
 * @param resource the id in the reference parameter {@code ur:ResourceId}, or null
 * @param digest of the body, to detect a different body under the same request id
 * @param coordination the header block of a coordination protocol, or null
 */
public record RequestEnvelope(
    SoapVersion version,
    QName operation,
    ReplicationHeader header,
    MessageProperties properties,
    List<QName> notUnderstood,
    String resource,
    long digest,
    Element coordination) {
  /** An envelope without a block of a coordination protocol. */
  public RequestEnvelope(
      SoapVersion version,
      QName operation,
      ReplicationHeader header,
      MessageProperties properties,
      List<QName> notUnderstood,
      String resource,
      long digest) {
    this(version, operation, header, properties, notUnderstood, resource, digest, null);
  }

  /** Returns a copy with another digest. */
  public RequestEnvelope withDigest(long other) {
    return new RequestEnvelope(version, operation, header, properties, notUnderstood, resource, other, coordination);
  }

  /** Returns {@code wsa:MessageID}, or null. */
  public String messageId() {
    return properties.messageId();
  }

  /** Whether the client uses the stub, which finds the right replica itself. Others may send a header that only names a transaction. */
  public boolean isOfStub() {
    return header != null && (header.transaction() == null || header.session() != null);
  }

  /** Whether the request has an identity by which a repetition is recognised. */
  public boolean hasIdentity() {
    return messageId() != null || header != null && header.session() != null;
  }

  /**
   * Checks that an operation that the plugin executes itself may be executed.
   *
   * @throws BadEnvelopeException when a header block that must be understood is unknown
   */
  public void requireUnderstood() throws BadEnvelopeException {
    if (!notUnderstood.isEmpty()) {
      throw new BadEnvelopeException(version, SoapFault.notUnderstood(notUnderstood), properties);
    }
  }

  /**
   * Checks the action that the transport names.
   *
   * @param transport null for none
   * @throws BadEnvelopeException when WS-Addressing's header block names another one
   */
  public void requireAction(String transport) throws BadEnvelopeException {
    if (transport != null && properties.action() != null && !transport.equals(properties.action())) {
      throw new BadEnvelopeException(version, SoapFault.actionMismatch(transport, properties.action()), properties);
    }
  }

  /**
   * Checks that the request can be answered.
   *
   * @param oneWay whether the operation has no result
   * @throws BadEnvelopeException when WS-Addressing's header blocks are invalid, or name an unsupported reply endpoint
   */
  public void requireAnswerable(boolean oneWay) throws BadEnvelopeException {
    try {
      properties.check(oneWay);
    } catch (SoapFault fault) {
      throw new BadEnvelopeException(version, fault, properties);
    }
  }
}
