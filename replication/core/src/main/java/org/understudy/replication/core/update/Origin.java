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

  private static final int LEAST_KEY_BYTES = 1;
  /** Most updates change what they read, and few resources. A key among the first changes is encoded by its place. */
  private static final int MAX_PLACES = 16;
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
      bytes += LEAST_KEY_BYTES + Integer.BYTES + EncodedSize.of(key);
    }
    return bytes;
  }

  /** @param changes of the update, which are written before */
  void write(List<StateChange> changes, WireWriter out) {
    out.i64(epoch);
    out.u8(replica.number());
    out.i64(number);
    out.u8(kind.ordinal());
    out.i64(turn);
    out.i64(base);
    out.i32(read.size());
    for (String key : read) {
      int place = place(key, changes);
      out.u8(place);
      if (place == 0) {
        out.string(key);
      }
    }
    if (kind == Kind.LIMITS) {
      limits.write(out);
    }
  }

  /** The place of the key among the first changes, from 1; 0 when it is not there. */
  private static int place(String key, List<StateChange> changes) {
    int last = Math.min(changes.size(), MAX_PLACES);
    for (int i = 0; i < last; i++) {
      if (changes.get(i).resource().equals(key)) {
        return i + 1;
      }
    }
    return 0;
  }

  /** @param changes of the update, which have been read before */
  static Origin read(List<StateChange> changes, WireReader in) {
    long epoch = in.position();
    ReplicaId replica = new ReplicaId(in.u8());
    long number = in.position();
    Kind kind = KINDS[in.u8(KINDS.length - 1)];
    long turn = in.position();
    long base = in.position();
    int count = in.count(LEAST_KEY_BYTES);
    List<String> read = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int place = in.u8(Math.min(changes.size(), MAX_PLACES));
      read.add(place == 0 ? in.string() : changes.get(place - 1).resource());
    }
    return new Origin(
        epoch, replica, number, kind, turn, base, read, kind == Kind.LIMITS ? ReplicatedLimits.read(in) : null);
  }
}
