package org.understudy.replication.core.update;

import java.util.List;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Outcome;

/** Upper bounds of encoded sizes, computed without encoding. */
public final class EncodedSize {
  /** Of an update or an item, excluding its texts and arrays. */
  public static final int FIXED_BYTES = 64;
  /** An upper bound: UTF-8 needs at most three bytes for a char. */
  private static final int BYTES_PER_CHAR = 3;

  private EncodedSize() {}

  public static long of(StateUpdate update) {
    long origin = update.origin() == null ? 0 : update.origin().encodedBytes();
    long decision = update.decision() == null ? 0 : update.decision().encodedBytes();
    return FIXED_BYTES + decision + of(update.principal()) + of(update.outcome(), update.changes()) + origin;
  }

  /** The bytes that an execution adds to a {@link StateUpdate}, excluding the request's part. */
  public static long of(Outcome outcome, List<StateChange> changes) {
    long bytes = FIXED_BYTES + of(outcome);
    for (int i = 0; i < changes.size(); i++) {
      StateChange change = changes.get(i);
      bytes += FIXED_BYTES + of(change.resource()) + (change.state() == null ? 0 : change.state().length);
    }
    return bytes;
  }

  public static long of(Outcome outcome) {
    return outcome instanceof Failure failure ? FIXED_BYTES + of(failure.sentence()) : outcome.bytes();
  }

  public static long of(String text) {
    return (long) BYTES_PER_CHAR * text.length();
  }
}
