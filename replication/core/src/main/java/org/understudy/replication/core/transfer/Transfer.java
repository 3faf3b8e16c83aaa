package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.Message.Item;
import org.understudy.replication.core.Message.Snapshot;
import org.understudy.replication.core.StateChange;

/** The donor's side of bringing one joiner up to date: the state in parts, then every update since. */
final class Transfer {
  final long incarnation;
  /** The update that the parts show. */
  final long index;
  private final List<List<Item>> parts;
  private int acknowledged = -1;
  /** What the joiner holds, once it has all parts; otherwise -1. */
  private long received = -1;
  private long progressedAt;

  Transfer(long now, long incarnation, long index, List<Item> items, int chunkBytes) {
    this.incarnation = incarnation;
    this.index = index;
    this.progressedAt = now;
    this.parts = split(items, chunkBytes);
  }

  private static List<List<Item>> split(List<Item> items, int chunkBytes) {
    List<List<Item>> parts = new ArrayList<>();
    List<Item> part = new ArrayList<>();
    long bytes = 0;
    for (Item item : items) {
      long weight = bytes(item);
      if (!part.isEmpty() && bytes + weight > chunkBytes) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(item);
      bytes += weight;
    }
    parts.add(part);
    return parts;
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
    int part = acknowledged + 1;
    return new Snapshot(epoch, incarnation, part, part == parts.size() - 1, index, parts.get(part), wire);
  }

  /** @return whether this was news */
  boolean acknowledge(long now, int part) {
    if (part != acknowledged + 1 || part >= parts.size()) {
      return false;
    }
    acknowledged = part;
    progressedAt = now;
    parts.set(part, null);
    if (part == parts.size() - 1) {
      received = index;
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
