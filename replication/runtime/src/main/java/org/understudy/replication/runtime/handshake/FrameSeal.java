package org.understudy.replication.runtime.handshake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Authenticates the frames of one direction of one connection. A frame's tag is the HMAC-SHA256, truncated to 16 bytes, of
 * its number, its mark and the {@link ContentDigest} of its content, so content for several peers is digested once. Not thread-safe;
 * allocates nothing itself.
 */
public final class FrameSeal {
  public static final int TAG_BYTES = 16;
  private static final int NUMBER_BYTES = 8;

  private static final VarHandle NUMBER = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private final Mac mac;
  /** The frame number and the digest. */
  private final byte[] input = new byte[NUMBER_BYTES + ContentDigest.MAX_DIGEST_BYTES];
  private final byte[] full = new byte[32];
  private final byte[] received = new byte[TAG_BYTES];
  private final byte[] expected = new byte[TAG_BYTES];
  private long next;

  FrameSeal(byte[] key) {
    try {
      mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }

  /** Writes the tag of the next frame. */
  public void seal(byte[] contentDigest, byte[] target, int offset) {
    seal(contentDigest, false, target, offset);
  }

  /** @param marked a mark of the frame beside its content */
  public void seal(byte[] contentDigest, boolean marked, byte[] target, int offset) {
    NUMBER.set(input, 0, marked ? next++ | Long.MIN_VALUE : next++);
    System.arraycopy(contentDigest, 0, input, NUMBER_BYTES, contentDigest.length);
    mac.update(input, 0, NUMBER_BYTES + contentDigest.length);
    try {
      mac.doFinal(full, 0);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("The buffer is as long as an HMAC-SHA256.", e);
    }
    System.arraycopy(full, 0, target, offset, TAG_BYTES);
  }

  /** Whether the tag belongs to the next frame with this content. After false the connection must be closed. */
  public boolean verify(byte[] contentDigest, byte[] tag, int offset) {
    return verify(contentDigest, false, tag, offset);
  }

  /** @param marked as for {@link #seal(byte[], boolean, byte[], int)} */
  public boolean verify(byte[] contentDigest, boolean marked, byte[] tag, int offset) {
    System.arraycopy(tag, offset, received, 0, TAG_BYTES);
    seal(contentDigest, marked, expected, 0);
    return MessageDigest.isEqual(received, expected);
  }
}
