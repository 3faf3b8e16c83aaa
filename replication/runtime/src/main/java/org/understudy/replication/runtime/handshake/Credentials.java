package org.understudy.replication.runtime.handshake;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.understudy.replication.api.ReplicaId;

/**
 * What a replica shows to prove itself to its peers.
 *
 * @param secret known to the replicas of the group alone; it is never sent
 */
public record Credentials(ReplicaId self, GroupDescription group, byte[] secret) {
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
