package org.understudy.container.request;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.understudy.replication.core.request.RequestKey;

/**
 * Computes the hashes that identify duplicates of a request. Every replica computes the same hashes. An endpoint is identified by
 * the name under which it is deployed, never by a URL. Thread-safe.
 */
public final class RequestIdentity {
  private static final int SECRET_BYTES = 32;
  private static final byte[] NO_SECRET = {};

  private final byte[] secret;

  /** @param secret of the group; empty if there is only one replica, which then uses a random secret */
  public RequestIdentity(byte[] secret) {
    this.secret = secret.length == 0 ? new byte[SECRET_BYTES] : secret.clone();
    if (secret.length == 0) {
      new SecureRandom().nextBytes(this.secret);
    }
  }

  /**
   * Returns the key of a request that is identified only by its {@code wsa:MessageID}. The hash includes the secret. Otherwise
   * clients could choose ids whose keys collide in the table of identities, which would slow every lookup.
   */
  RequestKey.OfMessageId key(String endpoint, String resource, String principal, String messageId) {
    ByteBuffer hash = hash(secret, endpoint, resource, principal, messageId);
    return new RequestKey.OfMessageId(hash.getLong(), hash.getLong());
  }

  /** Returns the digest of a request to a resource, from the digest of its body. */
  static long digest(String endpoint, String resource, long body) {
    return hash(NO_SECRET, endpoint, resource).getLong() ^ body;
  }

  /**
   * Returns the digest of a request of an authenticated client. Requests of other clients have different digests, and without the
   * secret no collision can be constructed.
   *
   * @param principal the principal that CXF authenticated, or the empty string
   * @param body a cryptographic hash
   */
  long digest(String principal, byte[] body) {
    return hash(secret, principal, HexFormat.of().formatHex(body)).getLong();
  }

  /** Hashes secret and parts, each prefixed with its length, so that different lists have different bytes. */
  private static ByteBuffer hash(byte[] secret, String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] length = new byte[4];
      ByteBuffer.wrap(length).putInt(secret.length);
      sha.update(length);
      sha.update(secret);
      for (String part : parts) {
        byte[] bytes = part == null ? null : part.getBytes(StandardCharsets.UTF_8);
        ByteBuffer.wrap(length).putInt(bytes == null ? -1 : bytes.length);
        sha.update(length);
        if (bytes != null) {
          sha.update(bytes);
        }
      }
      return ByteBuffer.wrap(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }
}
