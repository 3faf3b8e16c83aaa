package org.understudy.replication.core.membership;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.record.DurableRecord;
import org.understudy.replication.core.record.RecordKind;
import org.understudy.replication.core.record.Recovered;

/**
 * The durable part of membership: a replica's promise and the last view it accepted. Stored and synced before any message
 * that depends on it is sent.
 *
 * @param promisedEpoch no message and no view below this epoch is accepted
 * @param promisedTo the candidate that holds the promise, or null
 * @param accepted the accepted view of the highest epoch, or {@link View#NONE}
 * @param base the accepted view of the highest epoch that had a majority as members, or {@link View#NONE}: the last in
 *     which anything can have become stable. Differs from {@code accepted} only for smaller views
 * @param admitted whether this replica's promises count. A replica with an empty disk may have lost a promise, so it has no
 *     vote until a view includes it
 */
public record MembershipRecord(long promisedEpoch, ReplicaId promisedTo, View accepted, View base, boolean admitted)
    implements DurableRecord {
  public static final RecordKind<MembershipRecord> KIND =
      new RecordKind<>("membership", MembershipRecord.class, MembershipRecord::decode);

  public static final MembershipRecord FIRST_START = new MembershipRecord(0, null, View.NONE, View.NONE, false);

  private static final int FIXED_BYTES = 2 * Byte.BYTES + Long.BYTES;
  private static final int VIEW_BYTES = Long.BYTES + Byte.BYTES;

  /** The record stored last, or {@link #FIRST_START} if there is none. */
  public static MembershipRecord of(Recovered recovered) {
    return recovered.newest(KIND).orElse(FIRST_START);
  }

  @Override
  public RecordKind<MembershipRecord> kind() {
    return KIND;
  }

  @Override
  public boolean supersedes(DurableRecord earlier) {
    return earlier instanceof MembershipRecord;
  }

  @Override
  public byte[] encode() {
    int members = accepted.members().size() + base.members().size();
    ByteBuffer out = ByteBuffer.allocate(FIXED_BYTES + 2 * VIEW_BYTES + members);
    out.putLong(promisedEpoch);
    out.put((byte) (promisedTo == null ? 0 : promisedTo.number()));
    out.put((byte) (admitted ? 1 : 0));
    encode(out, accepted);
    encode(out, base);
    return out.array();
  }

  private static void encode(ByteBuffer out, View view) {
    out.putLong(view.epoch()).put((byte) view.members().size());
    view.members().forEach(member -> out.put((byte) member.number()));
  }

  private static MembershipRecord decode(byte[] bytes) {
    ByteBuffer in = ByteBuffer.wrap(bytes);
    long promised = in.getLong();
    int to = in.get();
    boolean admitted = in.get() == 1;
    View accepted = view(in);
    View base = view(in);
    if (in.hasRemaining()) {
      throw new IllegalArgumentException("more than a record");
    }
    return new MembershipRecord(promised, to == 0 ? null : new ReplicaId(to), accepted, base, admitted);
  }

  private static View view(ByteBuffer in) {
    long epoch = in.getLong();
    int count = in.get();
    List<ReplicaId> members = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      members.add(new ReplicaId(in.get()));
    }
    return new View(epoch, members);
  }
}
