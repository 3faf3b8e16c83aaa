package org.understudy.container.request;

import org.understudy.container.configuration.Configuration;
import org.understudy.container.soap.BadEnvelopeException;
import org.understudy.container.soap.ReplicationHeader;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;

/** Makes of an envelope what the replica is asked: who asks again for what, and what may be answered. */
final class Consistency {
  private final Operations operations;

  Consistency(Configuration configuration, Operations operations) {
    this.operations = operations;
  }

  /**
   * The request as the replica sees it.
   *
   * @param principal the authenticated caller, or null
   * @throws BadEnvelopeException when the service has no such operation
   */
  Request request(RequestEnvelope envelope, String principal) throws BadEnvelopeException {
    Operations.Operation operation = operations.find(envelope.operation());
    if (operation == null) {
      throw new BadEnvelopeException(
          envelope.version(),
          envelope.operation() == null
              ? "The body is empty."
              : "The service has no operation " + envelope.operation() + ".");
    }
    ReplicationHeader header = envelope.header();
    boolean read = operation.read() != null;
    ReadLevel level = !read ? null : header != null && header.level() != null ? header.level() : operation.read();
    RequestKey key = null;
    if (header != null && header.session() != null) {
      key = new RequestKey.OfSession(header.session(), header.sequence());
    } else if (envelope.messageId() != null && !read) {
      key = new RequestKey.OfMessageId(envelope.messageId());
    }
    return new Request(
        key,
        envelope.digest(),
        read ? Request.Kind.READ : Request.Kind.UPDATE,
        level,
        header == null ? VersionHandle.INITIAL : header.handle(),
        header == null ? 0 : header.ackBelow(),
        principal == null ? "" : principal);
  }
}
