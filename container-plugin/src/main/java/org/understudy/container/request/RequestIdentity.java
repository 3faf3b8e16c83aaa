package org.understudy.container.request;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.understudy.replication.core.RequestKey;

/**
 * What makes a repeated request the same one: hashes that every replica computes alike. Endpoints go by the name under
 * which they are deployed, never by a URL.
 */
final class RequestIdentity {
  private RequestIdentity() {}

  /** The key of a request that is known by its {@code wsa:MessageID} alone. */
  static RequestKey.OfMessageId key(String endpoint, String resource, String principal, String messageId) {
    ByteBuffer hash = hash(endpoint, resource, principal, messageId);
    return new RequestKey.OfMessageId(hash.getLong(), hash.getLong());
  }

  /** The digest of a body that is meant for this resource. */
  static long digest(String endpoint, String resource, long body) {
    return hash(endpoint, resource).getLong() ^ body;
  }

  /** Each part with its length in front, so that no two lists of parts have the same bytes. */
  private static ByteBuffer hash(String... parts) {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      byte[] length = new byte[4];
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
