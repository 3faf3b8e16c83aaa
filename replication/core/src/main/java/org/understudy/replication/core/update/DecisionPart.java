package org.understudy.replication.core.update;

import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * What an update has to do with a database that decides. See {@code docs/design/prepared-updates.md}.
 *
 * @param kind whether the update is prepared, or is the mark that decides an earlier one
 * @param id of the prepared update
 */
public record DecisionPart(Kind kind, DecisionId id) {
  /** What the update is. */
  public enum Kind {
    /** It has no effect before a mark. */
    PREPARED,
    /** A mark: the prepared update takes effect now. */
    COMMITTED,
    /** A mark: the prepared update never takes effect. */
    ABORTED
  }

  /** Its encoded size. */
  static final int BYTES = 1 + 2 * Long.BYTES;

  private static final Kind[] KINDS = Kind.values();

  /** Whether it decides an earlier update. */
  public boolean isMark() {
    return kind != Kind.PREPARED;
  }

  void write(WireWriter out) {
    out.u8(kind.ordinal());
    write(id, out);
  }

  static DecisionPart read(WireReader in) {
    return new DecisionPart(KINDS[in.u8(KINDS.length - 1)], readId(in));
  }

  /** Encodes an id. */
  public static void write(DecisionId id, WireWriter out) {
    out.i64(id.epoch());
    out.i64(id.index());
  }

  /** Decodes what {@link #write(DecisionId, WireWriter)} wrote. */
  public static DecisionId readId(WireReader in) {
    long epoch = in.position();
    long index = in.position();
    if (epoch < 1 || index < 1) {
      throw new UnreadableException("A message holds an invalid id of a decision.");
    }
    return new DecisionId(epoch, index);
  }
}
