package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;
import org.understudy.replication.core.update.StateChange;

/** The sender's side of one state transfer: the state in parts, then every update since. */
final class JoinerTransfer {
  private static final int HELD_BYTES = 16 << 10;
  private static final int READY_LAG = 64;
  private static final long NEVER = Long.MIN_VALUE;

  final long incarnation;
  /** The update as of which the parts show the state. */
  final long index;
  /** Of the joiner's holdings that the parts change; 0 when they are the whole state. */
  private final long number;
  /** Null after the last part or when the transfer is closed, because the items may hold a copy of the state. */
  private StateItems items;
  private final int chunkBytes;
  /** The first part that the joiner lacks; after the last it is empty. */
  private List<Item> part;
  /** The item with which the next part begins; null when there is none. */
  private Item ahead;
  private int acknowledged = -1;
  /** The last update that the joiner holds, once it has all parts; otherwise -1. */
  private long received = -1;
  private long progressedAt;
  /** When the joiner had all parts. */
  private long streamingSince;
  /** An update that the joiner has not acknowledged, and since when; 0 for none. */
  private long awaited;
  private long awaitedSince;
  /** How long the joiner took for the last update that was awaited. */
  private long took = Long.MAX_VALUE;
  /** When the joiner was behind last, or took too long for an acknowledgement; {@link #NEVER} if nothing was expected of it so far. */
  private long lateAt = NEVER;

  /**
   * @param number of the joiner's holdings that the items change; 0 when they are the whole state
   * @param items closed by {@link #close}
   * @param chunkBytes approximate size of a part; a larger item is a part of its own
   */
  JoinerTransfer(long now, long incarnation, long index, long number, StateItems items, int chunkBytes) {
    this.incarnation = incarnation;
    this.index = index;
    this.number = number;
    this.progressedAt = now;
    this.items = items;
    this.chunkBytes = chunkBytes;
    this.ahead = items.next();
    this.part = cut();
  }

  /** Ends the transfer. */
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
    if (item instanceof Item.Versions versions) {
      return versions.encodedBytes();
    }
    if (item instanceof Item.Held held) {
      // It stands for resources that were examined, which takes time.
      return HELD_BYTES + StateChange.bytes(held.upTo(), 0);
    }
    if (item instanceof Item.Removed removed) {
      return StateChange.bytes(removed.id(), 0);
    }
    return item instanceof Item.Unstable unstable ? 64 + unstable.update().bytes() : 64;
  }

  /** The first part that the joiner lacks. */
  Snapshot next(long epoch, int wire) {
    return new Snapshot(epoch, incarnation, acknowledged + 1, ahead == null, index, number, part, wire);
  }

  /**
   * @param end of the log
   * @return whether the acknowledgement advanced the transfer
   */
  boolean acknowledge(long now, int number, long end) {
    if (number != acknowledged + 1 || streaming()) {
      return false;
    }
    acknowledged = number;
    progressedAt = now;
    if (ahead == null) {
      received = index;
      streamingSince = now;
      lateAt = index < end ? now : NEVER;
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

  /**
   * Even an old acknowledgement shows that the joiner has the state and follows, unless it has less than it acknowledged
   * earlier.
   */
  void received(long now, long index) {
    if (index >= received) {
      received = index;
      progressedAt = now;
    }
  }

  /**
   * Measures how the joiner follows. Called at each acknowledgement and at each tick, once it has all parts.
   *
   * @param end of the log
   * @param promptNanos within which it is to acknowledge an update
   */
  void measure(long now, long end, long promptNanos) {
    long open = awaited == 0 ? 0 : now - awaitedSince;
    took = awaited != 0 && received >= awaited ? open : took;
    if (open > promptNanos || end - received > READY_LAG && took > promptNanos) {
      lateAt = now;
    }
    if (received >= awaited) {
      awaited = received < end ? end : 0;
      awaitedSince = now;
    }
  }

  /**
   * Whether the joiner has the state and lacks few updates, or as many as are on their way.
   *
   * @param roundNanos within which it then acknowledges an update
   */
  boolean isNear(long now, long end, long roundNanos) {
    boolean follows = awaited != 0 && took <= roundNanos && now - awaitedSince <= roundNanos;
    return streaming() && (end - received <= READY_LAG || follows);
  }

  /** Whether the joiner has followed promptly for this time, as far as it was measured. */
  boolean isPrompt(long now, long nanos) {
    return lateAt == NEVER || now - lateAt >= nanos;
  }

  long streamingSince() {
    return streamingSince;
  }

  long progressedAt() {
    return progressedAt;
  }
}
