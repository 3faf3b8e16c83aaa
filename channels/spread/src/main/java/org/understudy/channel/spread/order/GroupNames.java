package org.understudy.channel.spread.order;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.understudy.channel.key.GroupKey;
import org.understudy.replication.api.ReplicaId;

/**
 * What the replicas of one group derive from its name and secret: the group's name at the daemons, the names of their sessions, and tags
 * of frames. Anyone who reaches a daemon can join a group and send to it, so names and frames prove that a replica made them. Thread-safe.
 *
 * <p>A session's name is short, so its proof has 32 bits: it keeps strangers out of views, which are hints. A frame's tag has 128 bits.
 */
public final class GroupNames {
  /** The size of a frame's tag. */
  public static final int TAG_BYTES = 16;

  private static final int GROUP_CHARACTERS = 20;
  private static final int ID_CHARACTERS = 2;
  private static final int NONCE_BYTES = 2;
  private static final int PROOF_BYTES = 4;
  private static final int SESSION_CHARACTERS = 10;

  private final GroupKey key;
  private final String group;

  /** @param secret known to the replicas of the group alone */
  public GroupNames(String group, byte[] secret) {
    key = new GroupKey("understudy spread channel 1", group, secret);
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(group.getBytes(StandardCharsets.UTF_8));
      this.group = "understudy-" + GroupKey.base64(digest).substring(0, GROUP_CHARACTERS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java has SHA-256.", e);
    }
  }

  /** The group's name at the daemons. */
  public String group() {
    return group;
  }

  /** A name for a session of this replica. A name that the daemon has already needs another nonce. */
  public String sessionName(ReplicaId replica, short nonce) {
    ByteBuffer rest = ByteBuffer.allocate(NONCE_BYTES + PROOF_BYTES).putShort(nonce).put(proof(replica, nonce));
    return String.format("%02x", replica.number()) + GroupKey.base64(rest.array());
  }

  private byte[] proof(ReplicaId replica, short nonce) {
    ByteBuffer name = ByteBuffer.allocate(1 + NONCE_BYTES).put((byte) replica.number()).putShort(nonce).flip();
    return key.tag("session", PROOF_BYTES, name);
  }

  /** The configured replica whose session this is; null for a stranger's. */
  public ReplicaId replica(String privateGroup, List<ReplicaId> configured) {
    String[] parts = privateGroup.split("#", -1);
    if (parts.length != 3 || parts[1].length() != SESSION_CHARACTERS) {
      return null;
    }
    for (ReplicaId replica : configured) {
      if (parts[1].startsWith(String.format("%02x", replica.number()))) {
        return isProven(replica, parts[1].substring(ID_CHARACTERS)) ? replica : null;
      }
    }
    return null;
  }

  private boolean isProven(ReplicaId replica, String rest) {
    try {
      ByteBuffer bytes = ByteBuffer.wrap(Base64.getUrlDecoder().decode(rest));
      if (bytes.remaining() != NONCE_BYTES + PROOF_BYTES) {
        return false;
      }
      byte[] proof = new byte[PROOF_BYTES];
      byte[] expected = proof(replica, bytes.getShort());
      bytes.get(proof);
      return MessageDigest.isEqual(expected, proof);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** The tag of a frame of this session. */
  byte[] tag(String session, ByteBuffer... parts) {
    List<ByteBuffer> all = new ArrayList<>();
    all.add(ByteBuffer.wrap(GroupKey.ascii(session + "\0")));
    all.addAll(List.of(parts));
    return key.tag("frame", TAG_BYTES, all.toArray(ByteBuffer[]::new));
  }
}
