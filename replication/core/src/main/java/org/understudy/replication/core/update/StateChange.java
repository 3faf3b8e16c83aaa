package org.understudy.replication.core.update;

import java.util.ArrayList;
import java.util.List;

/**
 * The new state of one resource.
 *
 * @param resource its id; an id that ends in {@link #NUMBERED} is completed when the update gets its index
 * @param state as captured, never changed after construction; null when the resource is destroyed
 */
public record StateChange(String resource, byte[] state) {
  /**
   * The suffix of an id that is completed with the update's index and the entry's position in the update, as 16 and 4
   * hexadecimal digits. The ids of log entries in the state therefore sort in the order of their updates.
   */
  public static final String NUMBERED = "/#";

  private static final int INDEX_DIGITS = 16;
  private static final int PLACE_DIGITS = 4;

  /**
   * The heap that a resource needs besides its id and bytes, in a 64-bit JVM with compressed references: entries in the
   * core's image (100), in the runtime's (64), and in the container, with lock and live object (80, 120, 80).
   */
  private static final int OVERHEAD_BYTES = 450;

  /** The approximate size in memory; less in a frame. */
  public long bytes() {
    return bytes(resource, state == null ? 0 : state.length);
  }

  /** The approximate size of a resource with this id whose state has this many bytes. */
  public static long bytes(String resource, long stateBytes) {
    return OVERHEAD_BYTES + 2L * resource.length() + stateBytes;
  }

  /** A new entry of a log in the state. */
  public static StateChange entry(String log, byte[] state) {
    return new StateChange(log + NUMBERED, state);
  }

  /** The index of the update that made the entry with this id. */
  public static long indexOf(String entry) {
    int digits = entry.length() - INDEX_DIGITS - PLACE_DIGITS;
    return Long.parseLong(entry, digits, entry.length() - PLACE_DIGITS, 16);
  }

  /** The position of the entry with this id in that update. */
  public static int placeOf(String entry) {
    return Integer.parseInt(entry, entry.length() - PLACE_DIGITS, entry.length(), 16);
  }

  /** Completes the ids of the changes with the index of their update. */
  static List<StateChange> numbered(List<StateChange> changes, long index) {
    int first = 0;
    while (first < changes.size() && !changes.get(first).resource().endsWith(NUMBERED)) {
      first++;
    }
    if (first == changes.size()) {
      return changes;
    }
    List<StateChange> numbered = new ArrayList<>(changes);
    for (int i = first; i < changes.size(); i++) {
      StateChange change = changes.get(i);
      if (change.resource().endsWith(NUMBERED)) {
        numbered.set(i, new StateChange(complete(change.resource(), index, i), change.state()));
      }
    }
    return numbered;
  }

  private static String complete(String id, long index, int place) {
    StringBuilder complete = new StringBuilder(id.length() + INDEX_DIGITS + PLACE_DIGITS);
    complete.append(id, 0, id.length() - 1);
    digits(complete, index, INDEX_DIGITS);
    digits(complete, place, PLACE_DIGITS);
    return complete.toString();
  }

  private static void digits(StringBuilder to, long number, int digits) {
    for (int shift = (digits - 1) * 4; shift >= 0; shift -= 4) {
      to.append(Character.forDigit((int) (number >>> shift) & 0xf, 16));
    }
  }
}
