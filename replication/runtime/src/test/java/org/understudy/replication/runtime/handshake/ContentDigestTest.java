package org.understudy.replication.runtime.handshake;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContentDigestTest {
  private static final BigInteger MODULUS = BigInteger.ONE.shiftLeft(128);

  private final Random random = new Random(7);
  private final long[] key = random.longs(ContentDigest.KEY_WORDS).toArray();

  /** The definition, computed with big integers. */
  private static byte[] defined(byte[] content, long[] key) throws Exception {
    ByteArrayOutputStream sums = new ByteArrayOutputStream();
    for (int at = 0; at < content.length; at += ContentDigest.BLOCK_BYTES) {
      int end = Math.min(content.length, at + ContentDigest.BLOCK_BYTES);
      ByteBuffer block = ByteBuffer.wrap(Arrays.copyOf(Arrays.copyOfRange(content, at, end), (end - at + 15) / 16 * 16));
      block.order(ByteOrder.LITTLE_ENDIAN);
      for (int shift = 0; shift <= 2; shift += 2) {
        BigInteger sum = BigInteger.ZERO;
        for (int i = 0; i < block.capacity() / 8; i += 2) {
          BigInteger left = BigInteger.valueOf(block.getLong(8 * i) + key[i + shift]);
          BigInteger right = BigInteger.valueOf(block.getLong(8 * i + 8) + key[i + 1 + shift]);
          sum = sum.add(left.multiply(right));
        }
        sum = sum.mod(MODULUS);
        ByteBuffer bytes = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
        sums.write(bytes.putLong(sum.longValue()).putLong(sum.shiftRight(64).longValue()).array());
      }
    }
    if (content.length == 0) {
      sums.write(new byte[32]);
    }
    sums.write(ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(content.length).array());
    return content.length <= ContentDigest.BLOCK_BYTES
        ? sums.toByteArray()
        : MessageDigest.getInstance("SHA-256").digest(sums.toByteArray());
  }

  private byte[] content(int length) {
    byte[] content = new byte[length];
    random.nextBytes(content);
    return content;
  }

  private byte[] digest(byte[] content) {
    ContentDigest digest = new ContentDigest(key);
    digest.update(content, 0, content.length);
    return digest.digest();
  }

  @Test
  void digestMatchesItsDefinition() throws Exception {
    for (int length : new int[] {0, 1, 7, 8, 15, 16, 17, 300, 4_080, 4_095, 4_096, 4_097, 8_192, 100_003}) {
      byte[] content = content(length);
      assertArrayEquals(defined(content, key), digest(content), "of " + length + " bytes");
    }
    byte[] high = new byte[ContentDigest.BLOCK_BYTES];
    Arrays.fill(high, (byte) 0xff);
    for (long word : new long[] {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE}) {
      Arrays.fill(key, word);
      assertArrayEquals(defined(high, key), digest(high), "under words of " + word);
    }
  }

  @Test
  void digestDoesNotDependOnThePartition() {
    byte[] content = content(20_000);
    byte[] whole = digest(content);
    ContentDigest digest = new ContentDigest(key);
    for (int round = 0; round < 200; round++) {
      int at = 0;
      while (at < content.length) {
        int part = Math.min(content.length - at, random.nextInt(round < 100 ? 200 : 9_000));
        if (part == 1) {
          digest.update(content[at]);
        } else {
          digest.update(ByteBuffer.wrap(content, at, part).slice());
        }
        at += part;
      }
      assertArrayEquals(whole, digest.digest());
    }
  }

  @Test
  void digestDependsOnEveryByteTheLengthAndTheKey() {
    byte[] content = content(9_001);
    byte[] whole = digest(content);
    for (int i = 0; i < content.length; i += 1 + random.nextInt(20)) {
      content[i] ^= (byte) (1 << random.nextInt(8));
      assertFalse(Arrays.equals(whole, digest(content)), "byte " + i);
      whole = digest(content);
    }
    Set<ByteBuffer> zeros = new HashSet<>();
    for (int length = 0; length < 40; length++) {
      assertTrue(zeros.add(ByteBuffer.wrap(digest(new byte[length]))), length + " zeros");
    }
    byte[] swapped = content.clone();
    System.arraycopy(content, 0, swapped, 4_096, 4_096);
    System.arraycopy(content, 4_096, swapped, 0, 4_096);
    assertFalse(Arrays.equals(whole, digest(swapped)), "blocks swapped");
    key[3]++;
    assertFalse(Arrays.equals(whole, digest(content)), "another key");
  }

  @Test
  void keysDependOnSecretAndSalt() {
    byte[] secret = content(20);
    ContentKey own = ContentKey.fresh(secret);
    byte[] content = content(5_000);
    assertArrayEquals(of(own, content), of(ContentKey.of(secret, own.salt()), content));
    assertFalse(Arrays.equals(of(own, content), of(ContentKey.fresh(secret), content)));
    byte[] other = secret.clone();
    other[0] ^= 1;
    assertFalse(Arrays.equals(of(own, content), of(ContentKey.of(other, own.salt()), content)));
    assertArrayEquals(of(own, new byte[0]), of(ContentKey.fresh(secret), new byte[0]), "of a ping");
  }

  private static byte[] of(ContentKey key, byte[] content) {
    ContentDigest digest = key.digest();
    digest.update(content, 0, content.length);
    return digest.digest();
  }
}
