package org.understudy.container.request;

import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Request;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.soap.ReplicationHeader;

/** Maps an envelope to a request to the replica: client, request identity, and permitted responses. */
public final class RequestMapper {
  private RequestMapper() {}

  /**
   * The request as the replica sees it.
   *
   * @param identity makes the keys of requests without a session
   * @param endpoint the name under which the endpoint is deployed
   * @param resource the id that the request names, or null
   */
  static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      Operations.Operation operation,
      Caller caller) {
    return request(identity, digested(envelope, operation), endpoint, resource, operation.read(), caller);
  }

  /**
   * The same for a client whom not the container alone authenticated. Sessions belong to the container's principal, since
   * they are opened there.
   *
   * @param principal of both: a request known by its {@code wsa:MessageID} is another one when another principal sends it
   */
  static Request request(
      RequestIdentity identity,
      RequestEnvelope envelope,
      String endpoint,
      String resource,
      Operations.Operation operation,
      Caller caller,
      String principal) {
    return request(identity, digested(envelope, operation), endpoint, resource, operation.read(), caller, principal);
  }

  /** The digest covers the operation where the Body does not show it. */
  private static RequestEnvelope digested(RequestEnvelope envelope, Operations.Operation operation) {
    return operation.salt() == 0 ? envelope : envelope.withDigest(envelope.digest() ^ operation.salt());
  }

  /**
   * The same without the operation's other properties.
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
   * What routing distinguishes in the request of an operation of a service.
   *
   * @param declaredLevel as above
   */
  public static RequestClass requestClass(RequestEnvelope envelope, ReadLevel declaredLevel) {
    return declaredLevel == null ? RequestClass.UPDATE : RequestClass.of(level(envelope, declaredLevel));
  }
}
