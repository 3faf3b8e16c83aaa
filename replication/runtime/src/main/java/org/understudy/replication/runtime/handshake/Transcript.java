package org.understudy.replication.runtime.handshake;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Arrays;
import org.understudy.replication.runtime.handshake.RefusedPeerException.Reason;

/**
 * The four messages of a handshake.
 *
 * <pre>
 * hello     dialer to acceptor   magic(4) from(1) to(1) nonce(16) proof(32)
 * reply     acceptor to dialer   0(1) number(1) nonce(16) proof(32), or a refusal: reason(1)
 * confirm   dialer to acceptor   proof(32) salt(16) description
 * answer    acceptor to dialer   proof(32) salt(16) description
 * </pre>
 *
 * The proofs of hello and reply are under the secret; those of confirm and answer, and all that follows, under keys that
 * rest on the secret and both nonces. The salt is of the sender's {@link ContentKey}.
 */
final class Transcript {
  static final int HELLO_BYTES = 54;
  static final int REPLY_BYTES = 50;
  static final int PROOF_BYTES = 32;
  private static final int MAGIC = 0x55535034;
  private static final int HELLO_HEAD_BYTES = 22;
  private static final int REPLY_HEAD_BYTES = 18;
  private static final int NONCE_BYTES = 16;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final byte[] secret;
  private byte[] hello;
  private byte[] reply;

  Transcript(byte[] secret) {
    this.secret = secret;
  }

  byte[] hello(int from, int to) {
    byte[] head = new byte[HELLO_HEAD_BYTES];
    head[0] = (byte) (MAGIC >>> 24);
    head[1] = (byte) (MAGIC >>> 16);
    head[2] = (byte) (MAGIC >>> 8);
    head[3] = (byte) MAGIC;
    head[4] = (byte) from;
    head[5] = (byte) to;
    nonce(head, 6);
    hello = joined(head, Credentials.hmac(secret, "hello", head));
    return hello;
  }

  void checkHello(byte[] received) throws RefusedPeerException {
    if (received.length != HELLO_BYTES || !isHello(received)) {
      throw new RefusedPeerException(
          Reason.PROTOCOL, "It uses another version of the peer protocol, or another transfer mode.");
    }
    byte[] head = Arrays.copyOf(received, HELLO_HEAD_BYTES);
    byte[] proof = Arrays.copyOfRange(received, HELLO_HEAD_BYTES, HELLO_BYTES);
    if (!MessageDigest.isEqual(proof, Credentials.hmac(secret, "hello", head))) {
      throw new RefusedPeerException(
          Reason.SECRET,
          "It claims to be replica " + received[4] + " and does not know the group's secret (understudy.secret).");
    }
    hello = received;
  }

  private static boolean isHello(byte[] received) {
    return ((received[0] & 0xff) << 24 | (received[1] & 0xff) << 16 | (received[2] & 0xff) << 8 | received[3] & 0xff)
        == MAGIC;
  }

  byte[] reply(int number) {
    byte[] head = new byte[REPLY_HEAD_BYTES];
    head[1] = (byte) number;
    nonce(head, 2);
    reply = joined(head, Credentials.hmac(secret, "reply", hello, head));
    return reply;
  }

  void checkReply(byte[] received) throws RefusedPeerException {
    if (received.length == 1) {
      boolean secrets = received[0] == Reason.SECRET.ordinal() + 1;
      throw new RefusedPeerException(
          secrets ? Reason.SECRET : Reason.PROTOCOL,
          secrets
              ? "It rejects this replica: the secrets differ (understudy.secret)."
              : "It rejects this replica. Check that both run the same version and transfer mode.");
    }
    byte[] head = Arrays.copyOf(received, Math.min(received.length, REPLY_HEAD_BYTES));
    byte[] proof = Arrays.copyOfRange(received, head.length, received.length);
    if (received.length != REPLY_BYTES
        || head[0] != 0
        || !MessageDigest.isEqual(proof, Credentials.hmac(secret, "reply", hello, head))) {
      throw new RefusedPeerException(
          Reason.SECRET, "The process that answers there does not know the group's secret (understudy.secret).");
    }
    reply = received;
  }

  /** The keys of the two directions. */
  byte[] key(String direction) {
    return Credentials.hmac(secret, "key " + direction, hello, reply);
  }

  /** A confirm or an answer message. */
  static byte[] described(byte[] key, ContentKey contentKey, byte[] description) {
    byte[] content = joined(contentKey.salt(), description);
    return joined(Credentials.hmac(key, "description", content), content);
  }

  /** The content of a confirm or an answer message. */
  record Described(byte[] salt, GroupDescription group) {}

  static Described checkDescribed(byte[] key, byte[] received) throws java.io.IOException {
    byte[] proof = Arrays.copyOf(received, PROOF_BYTES);
    byte[] content = Arrays.copyOfRange(received, Math.min(received.length, PROOF_BYTES), received.length);
    if (content.length < ContentKey.SALT_BYTES
        || !MessageDigest.isEqual(proof, Credentials.hmac(key, "description", content))) {
      throw new RefusedPeerException(Reason.FORGED, "Its handshake was altered on the way, or replayed.");
    }
    return new Described(
        Arrays.copyOf(content, ContentKey.SALT_BYTES),
        GroupDescription.decode(content, ContentKey.SALT_BYTES, content.length - ContentKey.SALT_BYTES));
  }

  private static void nonce(byte[] head, int offset) {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    System.arraycopy(nonce, 0, head, offset, NONCE_BYTES);
  }

  private static byte[] joined(byte[] first, byte[] second) {
    byte[] both = Arrays.copyOf(first, first.length + second.length);
    System.arraycopy(second, 0, both, first.length, second.length);
    return both;
  }
}
