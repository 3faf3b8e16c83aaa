package org.understudy.replication.core.membership;

import java.util.Arrays;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.LoadBoard;

/**
 * Load indexes in the advisory part of heartbeats and their acknowledgements: three bytes each, the highest value for an unknown
 * one. Builds that do not know them skip them.
 */
final class LoadAdvice {
  /** Of one index. */
  static final int BYTES = 3;
  private static final int UNKNOWN = LoadBoard.MAX + 1;

  private LoadAdvice() {}

  /** Returns these bytes followed by the indexes of the members in their order; nothing follows when no index is known. */
  static int[] of(LoadBoard board, List<ReplicaId> members, int... before) {
    if (board.isEmpty()) {
      return before;
    }
    int[] advice = Arrays.copyOf(before, before.length + BYTES * members.size());
    int at = before.length;
    for (ReplicaId member : members) {
      write(board.index(member), advice, at);
      at += BYTES;
    }
    return advice;
  }

  /** The bytes that the indexes of the members take. */
  static int bytes(List<ReplicaId> members) {
    return BYTES * members.size();
  }

  /** Returns the advice with unknown indexes up to this place, in an array of this length. */
  static int[] padded(int[] advice, int end, int length) {
    int[] padded = Arrays.copyOf(advice, length);
    Arrays.fill(padded, advice.length, end, 0xff);
    return padded;
  }

  /** Returns the bytes for one index; none when it is unknown. */
  static int[] of(int index) {
    if (index < 0) {
      return new int[0];
    }
    int[] advice = new int[BYTES];
    write(Math.min(index, LoadBoard.MAX), advice, 0);
    return advice;
  }

  private static void write(int index, int[] advice, int at) {
    int value = index < 0 ? UNKNOWN : index;
    advice[at] = value >>> 16;
    advice[at + 1] = value >>> 8 & 0xff;
    advice[at + 2] = value & 0xff;
  }

  /** Returns the board of the members whose indexes stand from this place on; empty when not all of them do. */
  static LoadBoard board(byte[] advice, int from, List<ReplicaId> members) {
    LoadBoard board = LoadBoard.EMPTY;
    if (advice.length < from + BYTES * members.size()) {
      return board;
    }
    int at = from;
    for (ReplicaId member : members) {
      board = board.with(member, index(advice, at));
      at += BYTES;
    }
    return board;
  }

  /** Returns the index at this place; unknown when the advice is shorter. */
  static int index(byte[] advice, int at) {
    if (advice.length < at + BYTES) {
      return LoadBoard.UNKNOWN;
    }
    int value = (advice[at] & 0xff) << 16 | (advice[at + 1] & 0xff) << 8 | advice[at + 2] & 0xff;
    return value == UNKNOWN ? LoadBoard.UNKNOWN : value;
  }
}
