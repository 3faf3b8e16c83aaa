package org.understudy.channel.jgroups;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jgroups.util.UUID;

/** Tags of messages, and the name of the cluster, from the group's name and secret. Thread-safe. */
final class GroupKey {
  private static final String ALGORITHM = "HmacSHA256";
  private static final int TAG_BYTES = 16;
  private static final int NAME_BYTES = 12;

  private final SecretKeySpec key;
  private final ThreadLocal<Mac> macs = ThreadLocal.withInitial(this::mac);

  GroupKey(String group, byte[] secret) {
    try {
      Mac derivation = Mac.getInstance(ALGORITHM);
      derivation.init(new SecretKeySpec(secret, ALGORITHM));
      derivation.update("understudy jgroups channel 1\0".getBytes(StandardCharsets.US_ASCII));
      key = new SecretKeySpec(derivation.doFinal(group.getBytes(StandardCharsets.UTF_8)), ALGORITHM);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  private Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  /** The name of the cluster. Replicas of other groups or with another secret have another one, and JGroups drops what they send. */
  String cluster() {
    byte[] name = Arrays.copyOf(macs.get().doFinal("cluster".getBytes(StandardCharsets.US_ASCII)), NAME_BYTES);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(name);
  }

  /** The message and its tag. */
  byte[] seal(UUID sender, byte[] message) {
    return ByteBuffer.allocate(message.length + TAG_BYTES).put(message).put(tag(sender, message, 0, message.length)).array();
  }

  /** The message without its tag; null when this member did not send it. */
  byte[] open(UUID sender, byte[] bytes, int offset, int length) {
    int message = length - TAG_BYTES;
    if (message < 0) {
      return null;
    }
    byte[] tag = Arrays.copyOfRange(bytes, offset + message, offset + length);
    boolean valid = MessageDigest.isEqual(tag(sender, bytes, offset, message), tag);
    return valid ? Arrays.copyOfRange(bytes, offset, offset + message) : null;
  }

  private byte[] tag(UUID sender, byte[] bytes, int offset, int length) {
    Mac mac = macs.get();
    mac.update("message\0".getBytes(StandardCharsets.US_ASCII));
    ByteBuffer address = ByteBuffer.allocate(2 * Long.BYTES);
    mac.update(address.putLong(sender.getMostSignificantBits()).putLong(sender.getLeastSignificantBits()).flip());
    mac.update(bytes, offset, length);
    return Arrays.copyOf(mac.doFinal(), TAG_BYTES);
  }
}
