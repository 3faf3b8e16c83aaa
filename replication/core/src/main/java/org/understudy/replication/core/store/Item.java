package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.SessionId;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.request.Outcome;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.update.DecisionPart;
import org.understudy.replication.core.update.EncodedSize;
import org.understudy.replication.core.update.StateUpdate;
import org.understudy.replication.core.update.UpdateForm;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/** An item of the replicated state in a state transfer. */
public sealed interface Item {
  /** The minimum encoded size of an item. */
  int LEAST_BYTES = 5;

  /** Encodes its number and its parts. */
  void write(WireWriter out);

  /** An upper bound of its encoded size. */
  long encodedBytes();

  /** Decodes what {@link #write} wrote. */
  static Item read(WireReader in) {
    return switch (in.u8(16)) {
      case 0 -> new Resource(in.string(), in.i64(), in.bytes());
      case 1 -> new Session(in.session(), nonce(in), in.string(), in.i64(), in.i64());
      case 2 -> new StoredReply(UpdateForm.readKey(in), in.i64(), in.position(), UpdateForm.readOutcome(in));
      case 3 -> new Unstable(UpdateForm.read(in));
      case 4 -> new Identities(words(in));
      case 5 -> Versions.read(in);
      case 6 -> new Turn(in.position(), new ReplicaId(in.u8()), in.position(), List.of());
      case 7 -> new LogEnd(in.position());
      case 8 -> new LimitsInForce(ReplicatedLimits.read(in));
      case 9 -> new Resource(in.string(), in.i64(), in.position(), in.bytes());
      case 10 -> new Basis(in.position(), in.position());
      case 11 -> new Removed(in.string(), in.position());
      case 12 -> new Held(in.string());
      case 13 -> Prepared.of(UpdateForm.read(in));
      case 14 -> new LastCommitted(DecisionPart.readId(in));
      case 16 -> new Slice(in.bytes());
      default -> Turn.withKeys(in);
    };
  }

  private static RequestKey.OfNonce nonce(WireReader in) {
    if (UpdateForm.readKey(in) instanceof RequestKey.OfNonce nonce) {
      return nonce;
    }
    throw new UnreadableException("A session in a message has no nonce.");
  }

  private static long[] words(WireReader in) {
    long[] words = new long[in.count(Long.BYTES)];
    if (words.length % Identities.WORDS != 0) {
      throw new UnreadableException("A message holds an incomplete identity.");
    }
    for (int i = 0; i < words.length; i++) {
      words[i] = in.i64();
    }
    return words;
  }

  /**
   * @param owner the owner that pays for it
   * @param version the update that changed it last; 0 when it is unknown, as in wire versions before {@link
   *     org.understudy.replication.core.wire.WireVersions#HOLDINGS}
   */
  record Resource(String id, long owner, long version, byte[] state) implements Item {
    /** Of unknown version. */
    public Resource(String id, long owner, byte[] state) {
      this(id, owner, 0, state);
    }

    @Override
    public void write(WireWriter out) {
      out.u8(version == 0 ? 0 : 9);
      out.string(id);
      out.i64(owner);
      if (version != 0) {
        out.i64(version);
      }
      out.bytes(state);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(id) + state.length;
    }
  }

  /** A slice of the state of the next resource, which follows those before it and precedes the rest. */
  record Slice(byte[] bytes) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(16);
      out.bytes(bytes);
    }

    @Override
    public long encodedBytes() {
      return (long) EncodedSize.FIXED_BYTES + bytes.length;
    }
  }

  /**
   * @param nonce that opened it
   * @param owner the owner that pays for it
   */
  record Session(SessionId id, RequestKey.OfNonce nonce, String principal, long owner, long ackBelow) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(1);
      out.session(id);
      UpdateForm.write(nonce, out);
      out.string(principal);
      out.i64(owner);
      out.i64(ackBelow);
    }

    @Override
    public long encodedBytes() {
      return 2 * EncodedSize.FIXED_BYTES + EncodedSize.of(principal);
    }
  }

  /** The outcome of a request. */
  record StoredReply(RequestKey key, long digest, long index, Outcome outcome) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(2);
      UpdateForm.write(key, out);
      out.i64(digest);
      out.i64(index);
      UpdateForm.write(outcome, out);
    }

    @Override
    public long encodedBytes() {
      return 2 * EncodedSize.FIXED_BYTES + EncodedSize.of(outcome);
    }
  }

  /** An update that the resources and replies include already and that is not stable yet: kept for retransmission. */
  record Unstable(StateUpdate update) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(3);
      UpdateForm.write(update, out);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(update);
    }
  }

  /**
   * Identities of requests that are known by message id, in the order of their updates.
   *
   * @param words five for each request: key (high, low), digest, owner, and the index of its update, negative when the
   *     request failed
   */
  record Identities(long[] words) implements Item {
    private static final int WORDS = 5;

    @Override
    public void write(WireWriter out) {
      out.u8(4);
      out.i32(words.length);
      for (long word : words) {
        out.i64(word);
      }
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + (long) Long.BYTES * words.length;
    }
  }

  /**
   * The versions of keys and prefixes that were changed last, for certification.
   *
   * @param floor keys that no item names were last changed by this update or an earlier one
   * @param keys in the order of their indexes
   * @param indexes the last update that changed each key
   */
  record Versions(long floor, List<String> keys, List<Long> indexes) implements Item {
    private static final int LEAST_KEY_BYTES = 4 + Long.BYTES;

    @Override
    public void write(WireWriter out) {
      out.u8(5);
      out.i64(floor);
      out.i32(keys.size());
      for (int i = 0; i < keys.size(); i++) {
        out.string(keys.get(i));
        out.i64(indexes.get(i));
      }
    }

    @Override
    public long encodedBytes() {
      long bytes = EncodedSize.FIXED_BYTES;
      for (String key : keys) {
        bytes += LEAST_KEY_BYTES + EncodedSize.of(key);
      }
      return bytes;
    }

    private static Versions read(WireReader in) {
      long floor = in.position();
      int count = in.count(LEAST_KEY_BYTES);
      List<String> keys = new ArrayList<>(count);
      List<Long> indexes = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(in.string());
        indexes.add(in.position());
      }
      return new Versions(floor, keys, indexes);
    }
  }

  /**
   * A turn that excludes other runs, or waits behind such a turn.
   *
   * @param number of the proposal that requested it, in this epoch
   * @param keys of what it excludes the changes of other runs, in ascending order; empty: of everything, as always in wire versions before
   *     {@link org.understudy.replication.core.wire.WireVersions#TURNS_OF_KEYS}
   */
  record Turn(long epoch, ReplicaId replica, long number, List<String> keys) implements Item {
    private static final int LEAST_KEY_BYTES = 4;

    public Turn {
      keys = List.copyOf(keys);
    }

    @Override
    public void write(WireWriter out) {
      out.u8(keys.isEmpty() ? 6 : 15);
      out.i64(epoch);
      out.u8(replica.number());
      out.i64(number);
      if (!keys.isEmpty()) {
        out.i32(keys.size());
        keys.forEach(out::string);
      }
    }

    private static Turn withKeys(WireReader in) {
      long epoch = in.position();
      ReplicaId replica = new ReplicaId(in.u8());
      long number = in.position();
      int count = in.count(LEAST_KEY_BYTES);
      List<String> keys = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        keys.add(in.string());
      }
      return new Turn(epoch, replica, number, keys);
    }

    @Override
    public long encodedBytes() {
      long bytes = EncodedSize.FIXED_BYTES;
      for (String key : keys) {
        bytes += Integer.BYTES + EncodedSize.of(key);
      }
      return bytes;
    }
  }

  /** The limits on what the group stores, which the order has brought. */
  record LimitsInForce(ReplicatedLimits limits) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(8);
      limits.write(out);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + limits.encodedBytes();
    }
  }

  /**
   * The end of the log when the transfer began, where the state is that of an earlier update. The joiner holds as much as
   * the sender when it has the updates up to this one too.
   */
  record LogEnd(long index) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(7);
      out.i64(index);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES;
    }
  }

  /**
   * Begins a state transfer.
   *
   * @param stable the last update that is known to be stable
   * @param floor all removals after this update are among the items
   */
  record Basis(long stable, long floor) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(10);
      out.i64(stable);
      out.i64(floor);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES;
    }
  }

  /**
   * A resource that no longer exists.
   *
   * @param index the update that removed it
   */
  record Removed(String id, long index) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(11);
      out.string(id);
      out.i64(index);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(id);
    }
  }

  /**
   * The joiner holds all resources between the one before this item and this key.
   *
   * @param upTo this one included
   */
  record Held(String upTo) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(12);
      out.string(upTo);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(upTo);
    }
  }

  /** An update without effect so far, which a database decides. */
  record Prepared(StateUpdate update) implements Item {
    private static Prepared of(StateUpdate update) {
      if (update.decision() == null || update.decision().isMark()) {
        throw new UnreadableException("A message holds an update as prepared that is not.");
      }
      return new Prepared(update);
    }

    @Override
    public void write(WireWriter out) {
      out.u8(13);
      UpdateForm.write(update, out);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(update);
    }
  }

  /** The highest decision that is known to be committed in the database. */
  record LastCommitted(DecisionId id) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(14);
      DecisionPart.write(id, out);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES;
    }
  }
}
