package org.understudy.replication.runtime.handshake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The key under which one replica digests what it sends, from its start on. It is the same for all connections, so that
 * content for several peers is digested once. Derived from the secret and a random salt; the salt travels in the handshake.
 */
final class ContentKey {
  static final int SALT_BYTES = 16;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] salt;
  private final long[] words;

  private ContentKey(byte[] secret, byte[] salt) {
    this.salt = salt;
    this.words = words(Credentials.hmac(secret, "content", salt));
  }

  /** A new key for this process. */
  static ContentKey fresh(byte[] secret) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return new ContentKey(secret, salt);
  }

  /** The key of a peer that sent this salt. */
  static ContentKey of(byte[] secret, byte[] salt) {
    return new ContentKey(secret, salt.clone());
  }

  byte[] salt() {
    return salt;
  }

  ContentDigest digest() {
    return new ContentDigest(words);
  }

  /** The words that a block needs; every four are an HMAC of their number. */
  private static long[] words(byte[] key) {
    long[] words = new long[ContentDigest.KEY_WORDS];
    for (int i = 0; i < words.length; i += 4) {
      ByteBuffer four = ByteBuffer.wrap(Credentials.hmac(key, "words", Integer.toString(i).getBytes(StandardCharsets.US_ASCII)));
      four.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words, i, Math.min(4, words.length - i));
    }
    return words;
  }
}
