package org.understudy.replication.runtime.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.understudy.replication.api.ReplicaId;

/** The credentials of a replica for its peers. One object for each start of a replica. */
public final class Credentials {
  private final ReplicaId self;
  private final GroupDescription group;
  private final byte[] secret;
  private final ContentKey contentKey;

  /** @param secret known to the replicas of the group alone; it is never sent */
  public Credentials(ReplicaId self, GroupDescription group, byte[] secret) {
    this.self = self;
    this.group = group;
    this.secret = secret.clone();
    this.contentKey = ContentKey.fresh(secret);
  }

  public ReplicaId self() {
    return self;
  }

  GroupDescription group() {
    return group;
  }

  byte[] secret() {
    return secret;
  }

  /** The content key of this replica. */
  ContentKey contentKey() {
    return contentKey;
  }

  /** HMAC-SHA256 over the label and the parts. */
  static byte[] hmac(byte[] key, String label, byte[]... parts) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(label.getBytes(StandardCharsets.US_ASCII));
      mac.update((byte) 0);
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
