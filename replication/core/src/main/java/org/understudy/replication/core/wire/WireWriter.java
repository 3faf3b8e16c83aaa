package org.understudy.replication.core.wire;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.View;

/** Encodes the parts of a message, for a {@link WireReader} that decodes them in the same order. */
public interface WireWriter {
  /** The lowest eight bits. */
  void u8(int value);

  void i32(int value);

  void i64(long value);

  /** @param bytes not changed any more; large arrays are not copied */
  void bytes(byte[] bytes);

  void string(String text);

  default void bool(boolean value) {
    u8(value ? 1 : 0);
  }

  default void replicas(List<ReplicaId> replicas) {
    u8(replicas.size());
    for (ReplicaId replica : replicas) {
      u8(replica.number());
    }
  }

  default void view(View view) {
    i64(view.epoch());
    replicas(view.members());
  }

  default void session(SessionId session) {
    i64(session.high());
    i64(session.low());
  }

  default void versions(WireVersions versions) {
    u8(versions.oldest());
    u8(versions.newest());
  }

  /** Advisory data of at most 255 bytes; a reader may skip what it does not know. */
  default void advice(int... bytes) {
    u8(bytes.length);
    for (int value : bytes) {
      u8(value);
    }
  }
}
