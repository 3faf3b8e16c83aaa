package org.understudy.replication.runtime.handshake;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/**
 * Digests contents under a secret key, several times faster than a hash without a key. Two contents have the same digest
 * with a probability below 2^-120 for everybody who does not know the key. A digest must not leave the process: only a
 * tag under another key shows that two are equal, see {@link FrameSeal}.
 *
 * <p>The universal hash NH (Black, Halevi, Krawczyk, Krovetz and Rogaway, "UMAC: Fast and Secure Message Authentication",
 * CRYPTO 1999), signed, with words of 64 bits, twice under keys shifted by a pair of words. Each block of 4,096 bytes
 * gives two sums of 128 bits; the last one is padded with zeros. The digest is the sums and the length where there is one
 * block, and their SHA-256 where there are more.
 *
 * <p>Not thread-safe; allocates nothing but digests. Empty content has the same digest under every key.
 */
public final class ContentDigest {
  static final int BLOCK_BYTES = 4_096;
  /** The words of a block, plus the pair by which the second key is shifted. */
  static final int KEY_WORDS = BLOCK_BYTES / 8 + 2;

  private static final int PAIR_BYTES = 16;
  private static final int SUM_BYTES = 32;
  static final int MAX_DIGEST_BYTES = SUM_BYTES + 8;
  private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private final long[] key;
  private final MessageDigest sha256 = sha256();
  /** The bytes of an incomplete block. */
  private final byte[] rest = new byte[BLOCK_BYTES];
  private int filled;
  private long length;
  private long blocks;
  /** The sums of the last block, followed by space for the length. */
  private final byte[] sums = new byte[MAX_DIGEST_BYTES];

  /** @param key {@link #KEY_WORDS} secret words; not changed afterwards */
  ContentDigest(long[] key) {
    this.key = key;
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  public void update(byte value) {
    length++;
    rest[filled++] = value;
    if (filled == BLOCK_BYTES) {
      restIsFull();
    }
  }

  /** @param content has an array; its position does not move */
  public void update(ByteBuffer content) {
    update(content.array(), content.arrayOffset() + content.position(), content.remaining());
  }

  public void update(byte[] content, int offset, int count) {
    length += count;
    int at = offset;
    int left = count;
    if (filled > 0 || left < BLOCK_BYTES) {
      int taken = Math.min(left, BLOCK_BYTES - filled);
      System.arraycopy(content, at, rest, filled, taken);
      filled += taken;
      at += taken;
      left -= taken;
      if (filled == BLOCK_BYTES) {
        restIsFull();
      }
    }
    while (left >= BLOCK_BYTES) {
      block(content, at, BLOCK_BYTES);
      at += BLOCK_BYTES;
      left -= BLOCK_BYTES;
    }
    if (left > 0) {
      System.arraycopy(content, at, rest, 0, left);
      filled = left;
    }
  }

  private void restIsFull() {
    block(rest, 0, BLOCK_BYTES);
    filled = 0;
  }

  /** The digest of all updates since the last digest, 32 or 40 bytes; the next update begins a new content. */
  public byte[] digest() {
    if (filled > 0) {
      int padded = (filled + PAIR_BYTES - 1) & -PAIR_BYTES;
      while (filled < padded) {
        rest[filled++] = 0;
      }
      block(rest, 0, filled);
      filled = 0;
    }
    WORD.set(sums, SUM_BYTES, length);
    byte[] digest;
    if (blocks > 1) {
      sha256.update(sums);
      digest = sha256.digest();
    } else {
      digest = sums.clone();
    }
    Arrays.fill(sums, (byte) 0);
    blocks = 0;
    length = 0;
    return digest;
  }

  private void block(byte[] content, int offset, int count) {
    if (blocks++ > 0) {
      sha256.update(sums, 0, SUM_BYTES);
    }
    sum(content, offset, count, key, sums);
  }

  /** Both sums of a block of whole pairs. The halves of the low products are summed separately, so that no carry is lost. */
  private static void sum(byte[] content, int offset, int count, long[] key, byte[] sums) {
    long low1 = 0;
    long middle1 = 0;
    long high1 = 0;
    long low2 = 0;
    long middle2 = 0;
    long high2 = 0;
    int k = 0;
    for (int i = offset; i < offset + count; i += PAIR_BYTES) {
      long left = (long) WORD.get(content, i);
      long right = (long) WORD.get(content, i + 8);
      long a = left + key[k];
      long b = right + key[k + 1];
      long product = a * b;
      low1 += product & 0xffff_ffffL;
      middle1 += product >>> 32;
      high1 += Math.multiplyHigh(a, b);
      a = left + key[k + 2];
      b = right + key[k + 3];
      product = a * b;
      low2 += product & 0xffff_ffffL;
      middle2 += product >>> 32;
      high2 += Math.multiplyHigh(a, b);
      k += 2;
    }
    put(low1, middle1, high1, sums, 0);
    put(low2, middle2, high2, sums, PAIR_BYTES);
  }

  /** Combines the halves into one sum modulo 2^128. */
  private static void put(long low, long middle, long high, byte[] sums, int offset) {
    long carried = middle + (low >>> 32);
    WORD.set(sums, offset, carried << 32 | low & 0xffff_ffffL);
    WORD.set(sums, offset + 8, high + (carried >>> 32));
  }
}
