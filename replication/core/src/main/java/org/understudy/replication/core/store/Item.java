package org.understudy.replication.core.store;

import org.understudy.replication.api.SessionId;
import org.understudy.replication.core.EncodedSize;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.RequestKey;
import org.understudy.replication.core.StateUpdate;
import org.understudy.replication.core.UpdateForm;
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
    return switch (in.u8(4)) {
      case 0 -> new Resource(in.string(), in.i64(), in.bytes());
      case 1 -> new Session(in.session(), nonce(in), in.string(), in.i64(), in.i64());
      case 2 -> new StoredReply(UpdateForm.readKey(in), in.i64(), in.position(), UpdateForm.readOutcome(in));
      case 3 -> new Unstable(UpdateForm.read(in));
      default -> new Identities(words(in));
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

  /** @param owner the owner that pays for it */
  record Resource(String id, long owner, byte[] state) implements Item {
    @Override
    public void write(WireWriter out) {
      out.u8(0);
      out.string(id);
      out.i64(owner);
      out.bytes(state);
    }

    @Override
    public long encodedBytes() {
      return EncodedSize.FIXED_BYTES + EncodedSize.of(id) + state.length;
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
}
