package org.understudy.replication.core.wire;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;

/**
 * Gives the parts of a message as a {@link WireWriter} took them. Every method throws {@link UnreadableException} for what
 * cannot be that part. Never allocates more than the bytes at hand justify.
 */
public interface WireReader {
  /** From 0 to 255. */
  int u8();

  int i32();

  long i64();

  byte[] bytes();

  String string();

  /** A count of things of at least so many bytes each: more than are left cannot be. */
  int count(int leastBytes);

  /** An epoch or an index: no group ever comes near the bound, but a forged one could leave no room above it. */
  long position();

  /** The version that something replicated is written in, one that this replica reads: it could only guess at others. */
  int version();

  /** What {@link WireWriter#advice} took. */
  byte[] advice();

  /** From 0 to this. */
  default int u8(int most) {
    int value = u8();
    if (value > most) {
      throw new UnreadableException("A message holds " + value + "; at most " + most + " is allowed.");
    }
    return value;
  }

  default boolean bool() {
    return u8(1) == 1;
  }

  default List<ReplicaId> replicas() {
    int count = u8(ReplicaId.MAX);
    List<ReplicaId> replicas = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      replicas.add(new ReplicaId(u8()));
    }
    return replicas;
  }

  default View view() {
    return new View(position(), replicas());
  }

  default SessionId session() {
    return new SessionId(i64(), i64());
  }

  default WireVersions versions() {
    return new WireVersions(u8(), u8());
  }
}
