package org.understudy.replication.core.update;

import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.wire.UnreadableException;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * What an update has to do with a decision that a database makes, or the coordinator of a transaction. See {@code
 * docs/design/prepared-updates.md} and {@code docs/design/transactions.md}.
 *
 * @param kind whether the update is prepared, or is the mark that decides an earlier one
 * @param id of the prepared update
 * @param participant for a prepared update that a coordinator decides; null if a database does, and for a mark
 */
public record DecisionPart(Kind kind, DecisionId id, ParticipantRecord participant) {
  /** What the update is. */
  public enum Kind {
    /** It has no effect before a mark. */
    PREPARED,
    /** A mark: the prepared update takes effect now, or the update of the mark itself if none was prepared. */
    COMMITTED,
    /** A mark: the prepared update never takes effect. */
    ABORTED
  }

  private static final int BYTES = 1 + 2 * Long.BYTES;

  private static final Kind[] KINDS = Kind.values();

  /** Encodes {@link Kind#PREPARED} with a participant. */
  private static final int PREPARED_FOR_COORDINATOR = KINDS.length;

  /** @throws IllegalArgumentException when a mark has a participant */
  public DecisionPart {
    if (participant != null && kind != Kind.PREPARED) {
      throw new IllegalArgumentException("Only a prepared update has a participant.");
    }
  }

  /** Of an update that a database decides, or of a mark. */
  public DecisionPart(Kind kind, DecisionId id) {
    this(kind, id, null);
  }

  /** Whether it decides an earlier update. */
  public boolean isMark() {
    return kind != Kind.PREPARED;
  }

  /** Whether it is a prepared update that a coordinator decides. */
  public boolean isCoordinated() {
    return participant != null;
  }

  /** An upper bound of its encoded size. */
  long encodedBytes() {
    return BYTES + (participant == null ? 0 : 2 * Integer.BYTES + EncodedSize.of(participant.transaction()) + participant.rest().length);
  }

  void write(WireWriter out) {
    out.u8(participant == null ? kind.ordinal() : PREPARED_FOR_COORDINATOR);
    write(id, out);
    if (participant != null) {
      out.string(participant.transaction());
      out.bytes(participant.rest());
    }
  }

  static DecisionPart read(WireReader in) {
    int kind = in.u8(PREPARED_FOR_COORDINATOR);
    DecisionId id = readId(in);
    return kind == PREPARED_FOR_COORDINATOR ? new DecisionPart(Kind.PREPARED, id, participant(in)) : new DecisionPart(KINDS[kind], id);
  }

  private static ParticipantRecord participant(WireReader in) {
    String transaction = in.string();
    byte[] rest = in.bytes();
    if (transaction.isEmpty() || transaction.length() > ParticipantRecord.MAX_CHARS || rest.length > ParticipantRecord.MAX_BYTES) {
      throw new UnreadableException("A message holds a prepared update with an invalid record of its transaction.");
    }
    return new ParticipantRecord(transaction, rest);
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
