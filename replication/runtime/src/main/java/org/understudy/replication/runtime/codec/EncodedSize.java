package org.understudy.replication.runtime.codec;

import java.util.List;
import org.understudy.replication.core.Failure;
import org.understudy.replication.core.Message;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Outcome;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.StateUpdate;

/** How many bytes {@link MessageWriter} makes of something, at most: without writing it. */
public final class EncodedSize {
  /** Of a message without updates and items, with the largest view. */
  private static final int SMALL_BYTES = 1_024;
  /** Of an update or an item, beside its texts and arrays. */
  private static final int FIXED_BYTES = 64;
  /** UTF-8 needs no more for one char. */
  private static final int BYTES_PER_CHAR = 3;

  private EncodedSize() {}

  public static long of(Message message) {
    if (message instanceof Message.Update update) {
      return FIXED_BYTES + of(update.update());
    }
    if (message instanceof Message.Snapshot snapshot) {
      long bytes = FIXED_BYTES;
      for (Item item : snapshot.items()) {
        bytes += of(item);
      }
      return bytes;
    }
    if (message instanceof Message.SessionActivity activity) {
      return FIXED_BYTES + 2L * Long.BYTES * activity.sessions().size();
    }
    return SMALL_BYTES;
  }

  private static long of(StateUpdate update) {
    return FIXED_BYTES + of(update.principal()) + of(update.outcome(), update.changes());
  }

  /** What an execution adds to a {@link StateUpdate}: all but the request's part. */
  public static long of(Outcome outcome, List<StateChange> changes) {
    long bytes = FIXED_BYTES + of(outcome);
    for (int i = 0; i < changes.size(); i++) {
      StateChange change = changes.get(i);
      bytes += FIXED_BYTES + of(change.resource()) + (change.state() == null ? 0 : change.state().length);
    }
    return bytes;
  }

  private static long of(Item item) {
    if (item instanceof Item.Resource resource) {
      return FIXED_BYTES + of(resource.id()) + resource.state().length;
    }
    if (item instanceof Item.StoredReply reply) {
      return 2 * FIXED_BYTES + of(reply.outcome());
    }
    if (item instanceof Item.Identities identities) {
      return FIXED_BYTES + (long) Long.BYTES * identities.words().length;
    }
    if (item instanceof Item.Session session) {
      return FIXED_BYTES + of(session.principal());
    }
    return item instanceof Item.Unstable unstable ? FIXED_BYTES + of(unstable.update()) : SMALL_BYTES;
  }

  private static long of(Outcome outcome) {
    return outcome instanceof Failure failure ? FIXED_BYTES + of(failure.sentence()) : outcome.bytes();
  }

  private static long of(String text) {
    return (long) BYTES_PER_CHAR * text.length();
  }
}
