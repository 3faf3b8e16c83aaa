package org.understudy.replication.core.wire;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;

/**
 * Decodes the parts of a message that a {@link WireWriter} encoded. Every method throws {@link UnreadableException} for
 * invalid bytes. Never allocates more memory than the remaining bytes justify.
 */
public interface WireReader {
  /** From 0 to 255. */
  int u8();

  int i32();

  long i64();

  byte[] bytes();

  String string();

  /** A count of elements with this minimum size each; rejects a count that the remaining bytes cannot hold. */
  int count(int leastBytes);

  /**
   * An epoch or an index. The bound is far above any real value; a forged value above it could leave no room for
   * increments.
   */
  long position();

  /** The wire version of a replicated part; rejects versions that this replica does not read. */
  int version();

  /** Decodes what {@link WireWriter#advice} encoded. */
  byte[] advice();

  /** From 0 to this maximum. */
  default int u8(int max) {
    int value = u8();
    if (value > max) {
      throw new UnreadableException("A message holds " + value + "; at most " + max + " is allowed.");
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
