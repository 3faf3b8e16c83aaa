package org.understudy.container.request;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.understudy.replication.core.RequestKey;

/**
 * What makes a repeated request the same one: hashes that every replica computes alike. Endpoints go by the name under
 * which they are deployed, never by a URL. Thread-safe.
 */
public final class RequestIdentity {
  private static final int SECRET_BYTES = 32;
  private static final byte[] NO_SECRET = {};

  private final byte[] secret;

  /** @param secret the group's, or empty where there is one replica, which then uses a random one */
  public RequestIdentity(byte[] secret) {
    this.secret = secret.length == 0 ? new byte[SECRET_BYTES] : secret.clone();
    if (secret.length == 0) {
      new SecureRandom().nextBytes(this.secret);
    }
  }

  /**
   * The key of a request that is known by its {@code wsa:MessageID} alone. The secret is hashed too: without it, clients
   * could choose ids whose keys meet in one place of the table of identities and make every lookup slow.
   */
  RequestKey.OfMessageId key(String endpoint, String resource, String principal, String messageId) {
    ByteBuffer hash = hash(secret, endpoint, resource, principal, messageId);
    return new RequestKey.OfMessageId(hash.getLong(), hash.getLong());
  }

  /** The digest of a body that is meant for this resource. */
  static long digest(String endpoint, String resource, long body) {
    return hash(NO_SECRET, endpoint, resource).getLong() ^ body;
  }

  /**
   * The digest of what an authenticated client requests: another client's request never has the same one, and without the
   * secret none can be constructed that has.
   *
   * @param principal whom CXF authenticated, or the empty string
   * @param body a cryptographic hash
   */
  long digest(String principal, byte[] body) {
    return hash(secret, principal, HexFormat.of().formatHex(body)).getLong();
  }

  /** Secret and parts, each with its length in front, so that no two lists of parts have the same bytes. */
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
