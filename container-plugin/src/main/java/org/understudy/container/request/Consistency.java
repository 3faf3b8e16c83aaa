package org.understudy.container.request;

import org.understudy.container.soap.ReplicationHeader;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;

/** Makes of an envelope what the replica is asked: who asks again for what, and what may be answered. */
final class Consistency {
  private Consistency() {}

  /**
   * The request as the replica sees it.
   *
   * @param principal the authenticated caller, or null
   */
  static Request request(RequestEnvelope envelope, Operations.Operation operation, String principal) {
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
