package org.understudy.container.request;

import org.understudy.container.caller.Caller;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.soap.ReplicationHeader;

/** Maps an envelope to a request to the replica: client, request identity, and permitted responses. */
public final class RequestMapper {
  private RequestMapper() {}

  /**
   * Returns the request to the replica.
   *
   * @param identity computes the keys of requests without a session
   * @param endpoint the name under which the endpoint is deployed
   * @param resource the id that the request names, or null
   */
  static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      Operation operation,
      Caller caller) {
    return request(identity, digested(envelope, operation), endpoint, resource, operation.read(), caller);
  }

  /** Returns the request as an update, whatever the operation is: its identity tells a repetition inside a transaction too. */
  static Request update(
      RequestIdentity identity, RequestEnvelope envelope, String endpoint, String resource, Operation operation, Caller caller) {
    return request(identity, digested(envelope, operation), endpoint, resource, (ReadLevel) null, caller);
  }

  /**
   * Returns the request of a client that CXF authenticated too. Sessions belong to the container's principal, since the container
   * opens them.
   *
   * @param principal of container and CXF: requests with the same {@code wsa:MessageID} differ if their principals differ
   */
  static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      Operation operation,
      Caller caller,
      String principal) {
    return request(identity, digested(envelope, operation), endpoint, resource, operation.read(), caller, principal);
  }

  /** Adds the operation to the digest if the Body does not determine it. */
  private static RequestEnvelope digested(RequestEnvelope envelope, Operation operation) {
    return operation.salt() == 0 ? envelope : envelope.withDigest(envelope.digest() ^ operation.salt());
  }

  /**
   * Returns the request to the replica, for an operation whose Body determines it.
   *
   * @param declaredLevel the level of reads of the operation, for clients that request none; null for an update
   */
  public static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      ReadLevel declaredLevel,
      Caller caller) {
    return request(identity, envelope, endpoint, resource, declaredLevel, caller, caller.principal());
  }

  private static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      ReadLevel declaredLevel,
      Caller caller,
      String principal) {
    ReplicationHeader header = envelope.header();
    boolean read = declaredLevel != null;
    ReadLevel level = level(envelope, declaredLevel);
    RequestKey key = null;
    if (header != null && header.session() != null) {
      key = new RequestKey.OfSession(header.session(), header.sequence());
    } else if (envelope.messageId() != null && !read) {
      key = identity.key(endpoint, resource, principal, envelope.messageId());
    }
    return new Request(
        key,
        key == null || read ? 0 : RequestIdentity.digest(endpoint, resource, envelope.digest()),
        read ? Request.Kind.READ : Request.Kind.UPDATE,
        level,
        header == null ? VersionHandle.INITIAL : header.handle(),
        header == null ? 0 : header.ackBelow(),
        caller.principal(),
        caller.owner());
  }

  private static ReadLevel level(RequestEnvelope envelope, ReadLevel declaredLevel) {
    ReplicationHeader header = envelope.header();
    return declaredLevel != null && header != null && header.level() != null ? header.level() : declaredLevel;
  }

  /**
   * Returns the class of a request by which it is routed.
   *
   * @param declaredLevel the level of reads of the operation, for clients that request none; null for an update
   */
  public static RequestClass requestClass(RequestEnvelope envelope, ReadLevel declaredLevel) {
    if (envelope.coordination() != null || envelope.header() != null && envelope.header().transaction() != null) {
      return RequestClass.UPDATE;
    }
    return declaredLevel == null ? RequestClass.UPDATE : RequestClass.of(level(envelope, declaredLevel));
  }
}
