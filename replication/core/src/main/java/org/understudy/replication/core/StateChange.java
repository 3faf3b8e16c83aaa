package org.understudy.replication.core;

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
   * At the end of an id: stands for the index of the update, and the place in it, in 16 and 4 hexadecimal digits. So
   * that entries of a log that is part of the state come, by their ids, in the order of the updates that made them.
   */
  public static final String NUMBERED = "/#";

  private static final int INDEX_DIGITS = 16;
  private static final int PLACE_DIGITS = 4;

  /**
   * What a resource weighs on the heap beside its id and its bytes, in a 64-bit JVM with compressed references: its places
   * in the core's image (100), in the runtime's (64), and in the container, with lock and live object (80, 120, 80).
   */
  private static final int OVERHEAD_BYTES = 450;

  /** Roughly, in memory; less in a frame. */
  public long bytes() {
    return bytes(resource, state == null ? 0 : state.length);
  }

  /** What a resource of this id weighs whose state has so many bytes, roughly. */
  public static long bytes(String resource, long stateBytes) {
    return OVERHEAD_BYTES + 2L * resource.length() + stateBytes;
  }

  /** A new entry of a log that is part of the state. */
  public static StateChange entry(String log, byte[] state) {
    return new StateChange(log + NUMBERED, state);
  }

  /** The index of the update that made the entry of this id. */
  public static long indexOf(String entry) {
    int digits = entry.length() - INDEX_DIGITS - PLACE_DIGITS;
    return Long.parseLong(entry, digits, entry.length() - PLACE_DIGITS, 16);
  }

  /** The place of the entry of this id in that update. */
  public static int placeOf(String entry) {
    return Integer.parseInt(entry, entry.length() - PLACE_DIGITS, entry.length(), 16);
  }

  /** The same changes with complete ids: those of the update with this index. */
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
