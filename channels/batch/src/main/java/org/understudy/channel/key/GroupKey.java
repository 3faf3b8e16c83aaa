package org.understudy.channel.key;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that the replicas of one group derive from its name and secret for one kind of channel: HMAC-SHA256 over both. Neither the key
 * nor the secret is ever sent. Thread-safe.
 */
public final class GroupKey {
  private static final String ALGORITHM = "HmacSHA256";

  private final SecretKeySpec key;
  private final ThreadLocal<Mac> macs = ThreadLocal.withInitial(() -> mac(key()));

  /**
   * @param purpose the kind of channel, in ASCII: channels of other kinds have other keys
   * @param secret known to the replicas of the group alone
   */
  public GroupKey(String purpose, String group, byte[] secret) {
    Mac derivation = mac(new SecretKeySpec(secret, ALGORITHM));
    derivation.update(ascii(purpose));
    derivation.update((byte) 0);
    key = new SecretKeySpec(derivation.doFinal(group.getBytes(StandardCharsets.UTF_8)), ALGORITHM);
  }

  private SecretKeySpec key() {
    return key;
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  /** The bytes of a text in ASCII. */
  public static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  /** Base64 without padding, of characters that names may have. */
  public static String base64(byte[] bytes) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /**
   * A tag of all parts together. The caller makes sure that other parts give other bytes.
   *
   * @param label what is tagged, in ASCII: tags of one kind are never valid for another
   * @param tagBytes the length of the tag, at most 32
   * @param parts their positions do not change
   */
  public byte[] tag(String label, int tagBytes, ByteBuffer... parts) {
    Mac mac = macs.get();
    mac.update(ascii(label));
    mac.update((byte) 0);
    for (ByteBuffer part : parts) {
      mac.update(part.duplicate());
    }
    return Arrays.copyOf(mac.doFinal(), tagBytes);
  }
}
