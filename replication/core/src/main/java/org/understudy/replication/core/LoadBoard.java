package org.understudy.replication.core;

import java.util.Map;
import java.util.TreeMap;
import org.understudy.replication.api.ReplicaId;

/**
 * The load indexes of the members of a view, as far as they are known here (the whiteboard of Bartoli et al. 2005, 3.2.5). A
 * hint: indexes travel with heartbeats, so they are late, and those of two replicas need not be of one time.
 *
 * @param indexes by replica, each from 0 to {@link #MAX}; no entry for a replica whose index is not known
 */
public record LoadBoard(Map<ReplicaId, Integer> indexes) {
  /** No index is known. */
  public static final LoadBoard EMPTY = new LoadBoard(Map.of());

  /** The index of a replica that has not reported one. */
  public static final int UNKNOWN = -1;

  /** The highest index. */
  public static final int MAX = (1 << 24) - 2;

  public LoadBoard {
    indexes = Map.copyOf(indexes);
  }

  /** Returns a board with this index of the replica; {@link #UNKNOWN} removes it, and what is above {@link #MAX} is cut. */
  public LoadBoard with(ReplicaId replica, int index) {
    if (index(replica) == index) {
      return this;
    }
    Map<ReplicaId, Integer> changed = new TreeMap<>(indexes);
    if (index < 0) {
      changed.remove(replica);
    } else {
      changed.put(replica, Math.min(index, MAX));
    }
    return new LoadBoard(changed);
  }

  /** The index of the replica, or {@link #UNKNOWN}. */
  public int index(ReplicaId replica) {
    return indexes.getOrDefault(replica, UNKNOWN);
  }

  public boolean isEmpty() {
    return indexes.isEmpty();
  }
}
