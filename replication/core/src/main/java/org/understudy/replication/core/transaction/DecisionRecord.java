package org.understudy.replication.core.transaction;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.wire.WireReader;
import org.understudy.replication.core.wire.WireWriter;

/**
 * Part of the replicated state of the coordinator's group: this transaction has committed, and these participants may not know it. No
 * record, and not open: aborted.
 */
public record DecisionRecord(String transaction, List<RemoteParticipant> participants) {
  private static final int LEAST_BYTES = 12;

  public DecisionRecord {
    participants = List.copyOf(participants);
  }

  /** Encodes the record. */
  public void write(WireWriter out) {
    out.string(transaction);
    out.i32(participants.size());
    participants.forEach(participant -> participant.write(out));
  }

  /** Decodes what {@link #write} wrote. */
  public static DecisionRecord read(WireReader in) {
    String transaction = in.string();
    List<RemoteParticipant> participants = new ArrayList<>();
    for (int count = in.count(LEAST_BYTES); count > 0; count--) {
      participants.add(RemoteParticipant.read(in));
    }
    return new DecisionRecord(transaction, participants);
  }
}
