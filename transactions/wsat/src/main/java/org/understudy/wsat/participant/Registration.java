package org.understudy.wsat.participant;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a group knows of its participants in one transaction.
 *
 * @param members by the number of the replica
 */
record Registration(String transaction, Map<Integer, Member> members) {
  /**
   * One replica's participant.
   *
   * @param id random, so that only the coordinator and the group can name it
   * @param coordinator the endpoint reference of its coordinator, as XML
   */
  record Member(String id, String coordinator) {}

  Registration {
    members = Map.copyOf(members);
  }

  /** The replica's own participant; another one's if it has none, because it joined the group later. */
  Member memberFor(int replica) {
    Member own = members.get(replica);
    return own != null ? own : new TreeMap<>(members).firstEntry().getValue();
  }

  /** The participant with this id, which must be one of them. */
  Member member(String id) {
    return members.values().stream().filter(member -> member.id().equals(id)).findFirst().orElseThrow();
  }

  byte[] encoded() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(members.size());
      for (Map.Entry<Integer, Member> member : members.entrySet()) {
        out.writeByte(member.getKey());
        out.writeUTF(member.getValue().id());
        out.writeUTF(member.getValue().coordinator());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  /** @throws IOException when the bytes are not what {@link #encoded} returns */
  static Registration decoded(String transaction, byte[] bytes) throws IOException {
    Map<Integer, Member> members = new TreeMap<>();
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      for (int count = in.readUnsignedByte(); count > 0; count--) {
        int replica = in.readUnsignedByte();
        members.put(replica, new Member(in.readUTF(), in.readUTF()));
      }
    }
    if (members.isEmpty()) {
      throw new IOException("it names no participant");
    }
    return new Registration(transaction, members);
  }
}
