package org.understudy.replication.core.update;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * Who proposed an update that is certified at its place in the order, and on what its run rests.
 *
 * @param epoch in which it was proposed
 * @param replica that executed it
 * @param number of the replica's proposals of this epoch, from 1 without gaps
 * @param kind what it is
 * @param turn the number of the replica's turn that the run had; 0 for none
 * @param base the update as of which everything that the run read was current
 * @param read the keys that the run read; a key that ends with a slash stands for all keys with that prefix
 * @param limits for {@link Kind#LIMITS}; otherwise null
 */
public record Origin(
    long epoch,
    ReplicaId replica,
    long number,
    Kind kind,
    long turn,
    long base,
    List<String> read,
    ReplicatedLimits limits) {
  /** What a proposal is. */
  public enum Kind {
    /** The result of a run, or a decision about a session. */
    RUN,
    /** Requests a turn: nothing else takes effect until its run does. */
    TURN,
    /** Ends a turn whose run had no result. */
    END,
    /** Sets the limits on what the group stores. */
    LIMITS
  }

  private static final int LEAST_KEY_BYTES = 4;
  private static final Kind[] KINDS = Kind.values();

  public Origin {
    read = List.copyOf(read);
    if ((kind == Kind.LIMITS) != (limits != null)) {
      throw new IllegalArgumentException("An update of the kind LIMITS has limits, and no other one has.");
    }
  }

  /** Of any kind but {@link Kind#LIMITS}. */
  public Origin(long epoch, ReplicaId replica, long number, Kind kind, long turn, long base, List<String> read) {
    this(epoch, replica, number, kind, turn, base, read, null);
  }

  /** An upper bound of its encoded size. */
  public long encodedBytes() {
    return bytesOfKeys(read) + (limits == null ? 0 : limits.encodedBytes());
  }

  /** The same for an origin with these keys. */
  public static long bytesOfKeys(Collection<String> read) {
    long bytes = EncodedSize.FIXED_BYTES;
    for (String key : read) {
      bytes += LEAST_KEY_BYTES + EncodedSize.of(key);
    }
    return bytes;
  }

  void write(WireWriter out) {
    out.i64(epoch);
    out.u8(replica.number());
    out.i64(number);
    out.u8(kind.ordinal());
    out.i64(turn);
    out.i64(base);
    out.i32(read.size());
    read.forEach(out::string);
    if (kind == Kind.LIMITS) {
      limits.write(out);
    }
  }

  static Origin read(WireReader in) {
    long epoch = in.position();
    ReplicaId replica = new ReplicaId(in.u8());
    long number = in.position();
    Kind kind = KINDS[in.u8(KINDS.length - 1)];
    long turn = in.position();
    long base = in.position();
    int count = in.count(LEAST_KEY_BYTES);
    List<String> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      read.add(in.string());
    }
    return new Origin(
        epoch, replica, number, kind, turn, base, read, kind == Kind.LIMITS ? ReplicatedLimits.read(in) : null);
  }
}
