package org.understudy.replication.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.understudy.replication.api.ReplicaId;

/**
 * Proves both ends of a connection to each other: each answers the other's nonce with an HMAC-SHA256 under the group's
 * secret, over its direction, the group's name, both ids and both nonces.
 */
final class Handshake {
  private static final int MAGIC = 0x55535031;
  private static final int NONCE_BYTES = 16;
  private static final int PROOF_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final SocketSettings settings;

  Handshake(SocketSettings settings) {
    this.settings = settings;
  }

  /** The side that has connected, to {@code to}. */
  void dial(DataInputStream in, DataOutputStream out, ReplicaId to) throws IOException {
    byte[] mine = nonce();
    out.writeInt(MAGIC);
    out.writeByte(settings.self().number());
    out.writeByte(to.number());
    out.write(mine);
    out.flush();
    byte[] theirs = in.readNBytes(NONCE_BYTES);
    byte[] proof = in.readNBytes(PROOF_BYTES);
    if (!MessageDigest.isEqual(proof, proof("accept", settings.self(), to, mine, theirs))) {
      throw new IOException("Whoever answers at " + settings.addresses().get(to) + " does not know the secret.");
    }
    out.write(proof("dial", settings.self(), to, mine, theirs));
    out.flush();
  }

  /** The side that was connected to. Returns who the other is. */
  ReplicaId accept(DataInputStream in, DataOutputStream out) throws IOException {
    if (in.readInt() != MAGIC) {
      throw new IOException("It does not speak the protocol of replicas.");
    }
    int from = in.readUnsignedByte();
    int to = in.readUnsignedByte();
    byte[] theirs = in.readNBytes(NONCE_BYTES);
    ReplicaId peer = from >= 1 && from <= ReplicaId.MAX ? new ReplicaId(from) : null;
    if (to != settings.self().number() || peer == null || !settings.addresses().containsKey(peer)) {
      throw new IOException("It says that it is replica " + from + " and wants replica " + to + ".");
    }
    byte[] mine = nonce();
    out.write(mine);
    out.write(proof("accept", peer, settings.self(), theirs, mine));
    out.flush();
    byte[] proof = in.readNBytes(PROOF_BYTES);
    if (!MessageDigest.isEqual(proof, proof("dial", peer, settings.self(), theirs, mine))) {
      throw new IOException("It does not know the secret.");
    }
    return peer;
  }

  private static byte[] nonce() {
    byte[] nonce = new byte[NONCE_BYTES];
    RANDOM.nextBytes(nonce);
    return nonce;
  }

  private byte[] proof(String direction, ReplicaId from, ReplicaId to, byte[] dialNonce, byte[] acceptNonce) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(settings.secret(), "HmacSHA256"));
      String header = direction + "|" + settings.group() + "|" + from + "|" + to + "|";
      mac.update(header.getBytes(StandardCharsets.UTF_8));
      mac.update(dialNonce);
      mac.update(acceptNonce);
      return mac.doFinal();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("Every Java has HmacSHA256.", e);
    }
  }
}
