package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.StateChange;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;

/** The donor's side of bringing one joiner up to date: the state in parts, then every update since. */
final class JoinerTransfer {
  final long incarnation;
  /** The update that the parts show. */
  final long index;
  /** Null once they are all handed out, or no part is asked for any more: they may hold a copy of the state. */
  private StateItems items;
  private final int chunkBytes;
  /** The part that the joiner lacks first; after the last it is empty. */
  private List<Item> part;
  /** The item with which the next part begins; null when there is none. */
  private Item ahead;
  private int acknowledged = -1;
  /** What the joiner holds, once it has all parts; otherwise -1. */
  private long received = -1;
  private long progressedAt;

  /**
   * @param items closed by {@link #close}
   * @param chunkBytes of a part, roughly: a single larger item is a part of its own
   */
  JoinerTransfer(long now, long incarnation, long index, StateItems items, int chunkBytes) {
    this.incarnation = incarnation;
    this.index = index;
    this.progressedAt = now;
    this.items = items;
    this.chunkBytes = chunkBytes;
    this.ahead = items.next();
    this.part = cut();
  }

  /** No part is asked for any more. */
  void close() {
    if (items != null) {
      items.close();
      items = null;
    }
  }

  private List<Item> cut() {
    List<Item> cut = new ArrayList<>();
    for (long bytes = 0; ahead != null; ahead = items.next()) {
      bytes += bytes(ahead);
      if (!cut.isEmpty() && bytes > chunkBytes) {
        break;
      }
      cut.add(ahead);
    }
    return cut;
  }

  private static long bytes(Item item) {
    if (item instanceof Item.Resource resource) {
      return StateChange.bytes(resource.id(), resource.state().length);
    }
    if (item instanceof Item.Session session) {
      return 128 + 3L * session.principal().length();
    }
    if (item instanceof Item.StoredReply reply) {
      return 64 + reply.outcome().bytes();
    }
    if (item instanceof Item.Identities identities) {
      return 64 + 8L * identities.words().length;
    }
    return item instanceof Item.Unstable unstable ? 64 + unstable.update().bytes() : 64;
  }

  /** The part that the joiner lacks first. */
  Snapshot next(long epoch, int wire) {
    return new Snapshot(epoch, incarnation, acknowledged + 1, ahead == null, index, part, wire);
  }

  /** @return whether this was news */
  boolean acknowledge(long now, int number) {
    if (number != acknowledged + 1 || streaming()) {
      return false;
    }
    acknowledged = number;
    progressedAt = now;
    if (ahead == null) {
      received = index;
    }
    part = cut();
    if (ahead == null) {
      close();
    }
    return true;
  }

  boolean streaming() {
    return received >= 0;
  }

  long received() {
    return received;
  }

  /** Even without news it has the state, and follows; unless it has less than an earlier acknowledgement says. */
  void received(long now, long index) {
    if (index >= received) {
      received = index;
      progressedAt = now;
    }
  }

  long progressedAt() {
    return progressedAt;
  }
}
