package org.understudy.replication.runtime.handshake;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;

/**
 * The key under which one replica, since its start, digests what it sends: one for all its connections, so that what goes
 * to several peers is digested once. It rests on the secret and a random salt; the salt travels in the handshake.
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

  /** A new one, of this process. */
  static ContentKey fresh(byte[] secret) {
    byte[] salt = new byte[SALT_BYTES];
    RANDOM.nextBytes(salt);
    return new ContentKey(secret, salt);
  }

  /** The one of a peer that sent this salt. */
  static ContentKey of(byte[] secret, byte[] salt) {
    return new ContentKey(secret, salt.clone());
  }

  byte[] salt() {
    return salt;
  }

  ContentDigest digest() {
    return new ContentDigest(words);
  }

  /** As many words as a block needs, each four of them an HMAC of their number. */
  private static long[] words(byte[] key) {
    long[] words = new long[ContentDigest.KEY_WORDS];
    for (int i = 0; i < words.length; i += 4) {
      ByteBuffer four = ByteBuffer.wrap(Credentials.hmac(key, "words", Integer.toString(i).getBytes(StandardCharsets.US_ASCII)));
      four.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer().get(words, i, Math.min(4, words.length - i));
    }
    return words;
  }
}
