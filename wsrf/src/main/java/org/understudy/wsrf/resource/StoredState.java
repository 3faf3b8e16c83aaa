package org.understudy.wsrf.resource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.understudy.replication.api.IncrementalState;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.core.limit.KeyKind;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.AppliedState;

/**
 * The state of one resource as the replica has applied it.
 *
 * <p>A plain state is stored under the id of its resource. An {@link IncrementalState} is stored in parts: under the id stands its {@link
 * Position}, and under keys of their own, which are written once, the last whole state and each update since then. Every update changes
 * the position, so versions, certification and stale objects work as for a plain state. An update that would make the updates larger than
 * the whole state, and than {@value #MIN_BYTES} bytes, or more than {@value #MAX_UPDATES}, stores the whole state instead and removes the
 * earlier parts.
 *
 * @param position null for a plain state
 * @param whole as captured
 * @param updates since then, in order
 */
record StoredState(Position position, byte[] whole, List<byte[]> updates) {
  /** The updates of one resource may have this size, or that of its whole state if that is larger. Counted as the core counts. */
  static final long MIN_BYTES = 64 << 10;

  /** Removing them is one update, which must not become too large for a frame. */
  static final long MAX_UPDATES = 4_000;

  /** The prefix of the keys of whole states: {@code whole/<id>/<number>}. */
  static final String WHOLES = "whole/";
  /** The prefix of the keys of updates: {@code update/<id>/<number of the whole state>/<number>}. */
  static final String UPDATES = "update/";

  /** A reader that overtakes the removal of parts by another thread finds the next position when that thread goes on. */
  private static final long MAX_WAIT_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** The kinds of the keys: parts of the resource. */
  static List<KeyKind> kinds() {
    return List.of(KeyKind.parts(WHOLES, ""), KeyKind.parts(UPDATES, ""));
  }

  private static String wholeKey(String id, long checkpoint) {
    return WHOLES + id + "/" + checkpoint;
  }

  private static String updateKey(String id, long checkpoint, long number) {
    return UPDATES + id + "/" + checkpoint + "/" + number;
  }

  static StoredState plain(byte[] state) {
    return new StoredState(null, state, List.of());
  }

  /**
   * Reads an incremental state while other threads may apply updates.
   *
   * @return null when the resource does not exist
   * @throws IllegalStateException when parts are missing
   */
  static StoredState read(AppliedState replica, String id) {
    long begin = System.nanoTime();
    do {
      byte[] marker = replica.state(id);
      if (marker == null) {
        return null;
      }
      StoredState read = read(replica, id, Position.of(marker));
      if (read != null) {
        return read;
      }
      Thread.onSpinWait();
    } while (System.nanoTime() - begin < MAX_WAIT_NANOS);
    throw new IllegalStateException("Parts of the state of the resource " + id + " are missing at this replica.");
  }

  /** Returns null when a part is not there. */
  private static StoredState read(AppliedState replica, String id, Position position) {
    byte[] whole = replica.state(wholeKey(id, position.checkpoint()));
    List<byte[]> updates = new ArrayList<>();
    for (long i = 0; i < position.updates(); i++) {
      updates.add(replica.state(updateKey(id, position.checkpoint(), i)));
    }
    return whole == null || updates.contains(null) ? null : new StoredState(position, whole, updates);
  }

  /** Replaces the state of an object by this one. */
  void restore(StateCapture object) {
    object.restoreState(whole);
    for (byte[] update : updates) {
      ((IncrementalState) object).applyUpdate(update);
    }
  }

  /**
   * Adds the changes by which the new state of an object is stored.
   *
   * @param before the position of the object before the update; null before its first update
   * @return the position after it
   */
  static Position capture(String id, IncrementalState object, Position before, List<StateChange> changes) {
    byte[] update = object.captureUpdate();
    boolean unchanged = update != null && update.length == 0;
    if (unchanged && (before != null || Resources.SERVICE.equals(id))) {
      return before;
    }
    if (before != null && update != null) {
      StateChange part = new StateChange(updateKey(id, before.checkpoint(), before.updates()), update);
      Position after = before.followedBy(part.bytes());
      if (after.updates() <= MAX_UPDATES && after.bytes() <= Math.max(MIN_BYTES, before.wholeBytes())) {
        changes.add(new StateChange(id, after.toBytes()));
        changes.add(part);
        return after;
      }
    }
    byte[] whole = object.captureState();
    Position after = new Position(before == null ? 1 : before.checkpoint() + 1, 0, 0, whole.length);
    changes.add(new StateChange(id, after.toBytes(update)));
    changes.add(new StateChange(wholeKey(id, after.checkpoint()), whole));
    remove(id, before, changes);
    return after;
  }

  /** Adds the removal of all parts of an incremental state but its position. */
  static void remove(String id, Position position, List<StateChange> changes) {
    if (position != null) {
      changes.add(new StateChange(wholeKey(id, position.checkpoint()), null));
      for (long i = 0; i < position.updates(); i++) {
        changes.add(new StateChange(updateKey(id, position.checkpoint(), i), null));
      }
    }
  }

  /**
   * Which parts make up a state.
   *
   * @param checkpoint the number of the whole state, from 1
   * @param updates the number of updates since then
   * @param bytes their approximate size in memory
   * @param wholeBytes the size of the whole state
   */
  record Position(long checkpoint, long updates, long bytes, long wholeBytes) {
    private static final int NUMBERS = 4;
    private static final int MAX_DIGITS = 10;

    Position followedBy(long moreBytes) {
      return new Position(checkpoint, updates + 1, bytes + moreBytes, wholeBytes);
    }

    /** The key of the part that was stored last. */
    String lastKey(String id) {
      return updates == 0 ? wholeKey(id, checkpoint) : updateKey(id, checkpoint, updates - 1);
    }

    byte[] toBytes() {
      return toBytes(null);
    }

    /** @param last the update that the whole state includes, for those who compare; null: unknown */
    byte[] toBytes(byte[] last) {
      byte[] bytes = new byte[NUMBERS * MAX_DIGITS];
      int end = 0;
      for (long number : new long[] {checkpoint, updates, this.bytes, wholeBytes}) {
        long rest = number;
        while (rest >>> 7 != 0) {
          bytes[end++] = (byte) (rest & 0x7f | 0x80);
          rest >>>= 7;
        }
        bytes[end++] = (byte) rest;
      }
      byte[] all = Arrays.copyOf(bytes, end + (last == null ? 0 : last.length));
      if (last != null) {
        System.arraycopy(last, 0, all, end, last.length);
      }
      return all;
    }

    /** Returns the update that the whole state at this position includes; null when it is unknown. */
    static byte[] lastUpdate(byte[] bytes) {
      int begin = of(bytes).toBytes().length;
      return begin == bytes.length ? null : Arrays.copyOfRange(bytes, begin, bytes.length);
    }

    /** @throws IllegalArgumentException when the bytes are not a position */
    static Position of(byte[] bytes) {
      long[] numbers = new long[NUMBERS];
      int at = 0;
      for (int i = 0; i < NUMBERS; i++) {
        int shift = 0;
        do {
          if (at == bytes.length || shift > 63) {
            throw new IllegalArgumentException(
                "The stored state of a resource is no position of an incremental state. Deploy the same version of the service on all "
                    + "replicas.");
          }
          numbers[i] |= (bytes[at] & 0x7fL) << shift;
          shift += 7;
        } while (bytes[at++] < 0);
      }
      if (at != bytes.length && numbers[1] != 0) {
        throw new IllegalArgumentException("The stored position of an incremental state is damaged.");
      }
      return new Position(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
  }
}
