package org.understudy.replication.core.request;

import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.VersionHandle;

/**
 * A request as a protocol sees it, without its content.
 *
 * @param key the identity by which duplicates are detected, or null for none
 * @param digest of the body, to detect another request under the same key
 * @param kind what it does
 * @param level for {@link Kind#READ}; otherwise null
 * @param seen the client's version handle of the scope {@link VersionHandle#GROUP}; {@link VersionHandle#INITIAL} for none
 * @param ackBelow every sequence number of its session below this one is answered; 0 outside a session
 * @param principal the authenticated caller, or the empty string
 * @param owner whose share of the limits pays for the request: the principal, or the client's address if there is none,
 *     marked so that neither can imitate the other; never part of an identity. {@link #INTERNAL} for internal updates,
 *     {@link #SERVICE} for those that a service makes outside its operations
 */
public record Request(
    RequestKey key,
    long digest,
    Kind kind,
    ReadLevel level,
    VersionHandle seen,
    long ackBelow,
    String principal,
    String owner) {
  /** The owner of internal updates, such as ends of lifetimes and checkpoints. Admitted from a reserve. */
  public static final String INTERNAL = "internal";

  /** The owner of what a service changes outside its operations. The limits of the group apply to it, and no caller's share. */
  public static final String SERVICE = "service";

  /** What a request does. */
  public enum Kind {
    UPDATE,
    READ,
    /** The key is {@link RequestKey.OfNonce}; {@code digest} is unused. The response's bytes are the session's id. */
    OPEN_SESSION,
    RENEW_SESSION,
    CLOSE_SESSION
  }

  /** A request whose owner is its principal. */
  public Request(
      RequestKey key, long digest, Kind kind, ReadLevel level, VersionHandle seen, long ackBelow, String principal) {
    this(key, digest, kind, level, seen, ackBelow, principal, "principal:" + principal);
  }

  /** An update that no client requested. */
  public static Request internalUpdate() {
    return new Request(null, 0, Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", INTERNAL);
  }

  /** An update that a service makes outside its operations: by a thread of its own, or when it takes a reply. */
  public static Request serviceUpdate() {
    return new Request(null, 0, Kind.UPDATE, null, VersionHandle.INITIAL, 0, "", SERVICE);
  }

  public boolean isInternal() {
    return owner.equals(INTERNAL);
  }

  /** Whether it is a {@link #serviceUpdate}. */
  public boolean isOfService() {
    return owner.equals(SERVICE);
  }

  /** The class by which the request is routed. */
  public RequestClass requestClass() {
    return switch (kind) {
      case UPDATE -> RequestClass.UPDATE;
      case READ -> RequestClass.of(level);
      case OPEN_SESSION, RENEW_SESSION, CLOSE_SESSION -> RequestClass.SESSION;
    };
  }

  /** A 64-bit hash of the owner, the same at every replica. */
  public long ownerId() {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < owner.length(); i++) {
      hash = (hash ^ owner.charAt(i)) * 0x100000001b3L;
    }
    return hash;
  }

  public Request {
    if ((kind == Kind.READ) != (level != null)) {
      throw new IllegalArgumentException("A read has a level, and nothing else has.");
    }
    if ((kind == Kind.OPEN_SESSION) != (key instanceof RequestKey.OfNonce)) {
      throw new IllegalArgumentException("A nonce opens a session, and does nothing else.");
    }
    if ((kind == Kind.RENEW_SESSION || kind == Kind.CLOSE_SESSION) && !(key instanceof RequestKey.OfSession)) {
      throw new IllegalArgumentException("A session is renewed and closed by its id.");
    }
  }
}
