package org.understudy.replication.core.transfer;

import java.util.ArrayList;
import java.util.List;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.transfer.TransferMessage.Snapshot;

/** The sender's side of one state transfer: the state in parts, several of which are on their way, then every update since. */
final class JoinerTransfer {
  private static final int HELD_BYTES = 16 << 10;
  private static final int READY_LAG = 64;
  private static final long NEVER = Long.MIN_VALUE;

  final long incarnation;
  /** The update as of which the parts show the state. */
  final long index;
  final TransferProgress progress;
  /** Of the joiner's holdings that the parts change; 0 when they are the whole state. */
  private final long number;
  private final TransferWindow window;
  /** Null after the last part or when the transfer is closed, because the items may hold a copy of the state. */
  private StateItems items;
  private final int partBytes;
  /** The parts that the joiner lacks, as far as they were cut, from the first on. */
  private final List<Part> lacking = new ArrayList<>();
  /** How many of them are on their way. */
  private int sent;
  /** The item with which the next part to be cut begins; null when there is none. */
  private Item ahead;
  private int acknowledged = -1;
  private long acknowledgedBytes;
  /** The last update that the joiner holds, once it has all parts; otherwise -1. */
  private long received = -1;
  private long progressedAt;
  private long repeatedAt;
  /** When the joiner had all parts. */
  private long streamingSince;
  /** An update that the joiner has not acknowledged, and since when; 0 for none. */
  private long awaited;
  private long awaitedSince;
  /** How long the joiner took for the last update that was awaited. */
  private long took = Long.MAX_VALUE;
  /** When the joiner was behind last, or took too long for an acknowledgement; {@link #NEVER} if nothing was expected of it so far. */
  private long lateAt = NEVER;
  /** When the joiner last acknowledged an update that it had not acknowledged before. */
  private long advancedAt;
  /** Null while the joiner catches up by itself. */
  private Pace pace;

  /** A part, and when it was sent last. */
  private static final class Part {
    private final List<Item> items;
    private final boolean last;
    private final long bytes;
    private long sentAt;
    private boolean repeated;

    private Part(List<Item> items, boolean last, long bytes) {
      this.items = items;
      this.last = last;
      this.bytes = bytes;
    }
  }

  /**
   * @param number of the joiner's holdings that the items change; 0 when they are the whole state
   * @param items closed by {@link #close}
   * @param partBytes approximate size of a part; a larger item is a part of its own
   */
  JoinerTransfer(
      long now,
      long incarnation,
      long index,
      long number,
      StateItems items,
      int partBytes,
      TransferWindow window,
      TransferProgress progress) {
    this.progress = progress;
    this.incarnation = incarnation;
    this.index = index;
    this.number = number;
    this.progressedAt = now;
    this.repeatedAt = now;
    this.items = items;
    this.partBytes = partBytes;
    this.window = window;
    this.ahead = items.next();
  }

  /** Ends the transfer. */
  void close() {
    if (items != null) {
      items.close();
      items = null;
    }
  }

  private Part cut() {
    List<Item> content = new ArrayList<>();
    long bytes = 0;
    while (ahead != null && (content.isEmpty() || bytes + bytes(ahead) <= partBytes)) {
      bytes += bytes(ahead);
      content.add(ahead);
      ahead = items.next();
    }
    boolean last = ahead == null;
    if (last) {
      close();
    }
    return new Part(content, last, bytes);
  }

  private static long bytes(Item item) {
    // A held range stands for resources that were examined, which takes time.
    return item.encodedBytes() + (item instanceof Item.Held ? HELD_BYTES : 0);
  }

  /**
   * The next part to send: cut from the state, or to be repeated.
   *
   * @return null when none may be sent now
   */
  Snapshot next(long now, long epoch, int wire) {
    boolean none = acknowledged < 0 && lacking.isEmpty();
    boolean more = sent < lacking.size() || none || ahead != null;
    if (streaming() || !more || !window.hasRoom()) {
      return null;
    }
    if (sent == lacking.size()) {
      lacking.add(cut());
    }
    Part part = lacking.get(sent++);
    part.repeated |= part.sentAt != 0;
    part.sentAt = Math.max(1, now);
    window.sent(part.bytes);
    return new Snapshot(epoch, incarnation, acknowledged + sent, part.last, index, number, part.items, wire);
  }

  /** Sends again what is on its way, if the joiner has been silent about it for longer than its answers take. */
  void repeatLost(long now) {
    if (!streaming() && sent > 0 && now - activeAt() > window.repeatNanos()) {
      window.lost(now);
      sent = 0;
      repeatedAt = now;
    }
  }

  /** Whether nothing has come from the joiner for so long that it needs another transfer. */
  boolean isStuck(long now, long suspectNanos) {
    boolean silent = now - progressedAt >= suspectNanos;
    return silent && (streaming() ? now - progressedAt >= window.repeatNanos() : window.isExhausted());
  }

  /**
   * @param number of the last part that the joiner has
   * @param end of the log
   * @return whether the acknowledgement advanced the transfer
   */
  boolean acknowledge(long now, int number, long end) {
    if (number <= acknowledged || number > acknowledged + lacking.size() || streaming()) {
      return false;
    }
    boolean last = false;
    while (acknowledged < number) {
      acknowledged++;
      Part part = lacking.remove(0);
      last = part.last;
      acknowledgedBytes += part.bytes;
      if (sent > 0) {
        sent--;
        window.acknowledged(now, part.bytes, part.sentAt, !part.repeated);
      }
    }
    progressedAt = now;
    if (last) {
      received = index;
      streamingSince = now;
      lateAt = index < end ? now : NEVER;
    }
    return true;
  }

  /** When the joiner advanced last, or was sent again what it lacks. A joiner that has gone asks for nothing. */
  long activeAt() {
    return Math.max(progressedAt, repeatedAt);
  }

  long acknowledgedBytes() {
    return acknowledgedBytes;
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
      advancedAt = index > received ? now : advancedAt;
      received = index;
      progressedAt = now;
    }
  }

  /** The joiner is behind. */
  void late(long now) {
    lateAt = now;
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

  /**
   * The last update that may be shown to clients now, so that the joiner catches up; {@link Long#MAX_VALUE} if it does by itself, or does
   * not advance either.
   *
   * @param end of the log
   * @param waitNanos after which a joiner that has the state should have caught up
   * @param roundNanos as for {@link #isNear}
   */
  long paced(long now, long end, long waitNanos, long roundNanos, long suspectNanos) {
    boolean follows = streaming() && now - advancedAt < suspectNanos;
    if (!follows || now - streamingSince < waitNanos || pace == null && isInTime(now, end, roundNanos)) {
      return Long.MAX_VALUE;
    }
    if (pace == null || pace.isOver(now)) {
      pace = new Pace(now, end - received, suspectNanos);
    }
    long allowed = pace.allowed(now);
    return allowed == Long.MAX_VALUE ? allowed : received + allowed;
  }

  /** Whether the joiner has acknowledged within this time what it was sent last, or lacks nothing. */
  boolean isInTime(long now, long end, long roundNanos) {
    return received >= end || took <= roundNanos && (awaited == 0 || now - awaitedSince <= roundNanos);
  }

  /** Whether the joiner has followed promptly for this time, as far as it was measured. */
  boolean isPrompt(long now, long nanos) {
    return lateAt == NEVER || now - lateAt >= nanos;
  }

  long streamingSince() {
    return streamingSince;
  }
}
