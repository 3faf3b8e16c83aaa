package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Updates without effect so far, which a database or the coordinators of transactions decide, and the last decision of the database that
 * is known. Part of the replicated state.
 */
public final class PreparedUpdates {
  private final TreeMap<Long, StateUpdate> byIndex = new TreeMap<>();
  private int ofCoordinators;
  private long bytes;
  private long bytesOfCoordinators;
  /** How many updates for coordinators change each key. */
  private final TreeMap<String, Integer> locked = new TreeMap<>();
  /** Null before the first one. */
  private DecisionId lastCommitted;

  /** Adds an update that is prepared at its index. */
  public void add(StateUpdate update) {
    remove(update.index());
    byIndex.put(update.index(), update);
    count(update, 1);
  }

  private void remove(long index) {
    StateUpdate before = byIndex.remove(index);
    if (before != null) {
      count(before, -1);
    }
  }

  private void count(StateUpdate update, int more) {
    if (!update.decision().isCoordinated()) {
      bytes += more * update.bytes();
      return;
    }
    ofCoordinators += more;
    bytesOfCoordinators += more * update.bytes();
    for (StateChange change : update.changes()) {
      locked.merge(change.resource(), more, (one, other) -> one + other == 0 ? null : one + other);
    }
  }

  /** The update with this id, or null. */
  public StateUpdate find(DecisionId id) {
    StateUpdate found = byIndex.get(id.index());
    return found != null && found.decision().id().equals(id) ? found : null;
  }

  /** Removes the update with this id, because it is decided. Returns null when there is none. */
  public StateUpdate decided(DecisionId id, boolean committed) {
    StateUpdate found = find(id);
    boolean ofDatabase = found == null || !found.decision().isCoordinated();
    if (committed && ofDatabase && (lastCommitted == null || lastCommitted.compareTo(id) < 0)) {
      lastCommitted = id;
    }
    if (found != null) {
      remove(id.index());
    }
    return found;
  }

  /** In ascending order of their indexes; a view. */
  public Collection<StateUpdate> all() {
    return Collections.unmodifiableCollection(byIndex.values());
  }

  /** The ids of those that a database decides, in ascending order of their indexes. */
  public List<DecisionId> ids() {
    List<DecisionId> ids = new ArrayList<>(size());
    for (StateUpdate update : byIndex.values()) {
      if (!update.decision().isCoordinated()) {
        ids.add(update.decision().id());
      }
    }
    return ids;
  }

  /** The number of those that a database decides. */
  public int size() {
    return byIndex.size() - ofCoordinators;
  }

  /** The approximate size in memory of those that a database decides. */
  public long bytes() {
    return bytes;
  }

  /** Those that coordinators decide, in ascending order of their indexes. */
  public List<InDoubt> inDoubt() {
    List<InDoubt> all = new ArrayList<>(ofCoordinators);
    for (StateUpdate update : byIndex.values()) {
      if (update.decision().isCoordinated()) {
        all.add(inDoubt(update));
      }
    }
    return all;
  }

  /** What others need to know of an update that a coordinator decides. */
  public static InDoubt inDoubt(StateUpdate update) {
    List<String> resources = update.changes().stream().map(StateChange::resource).toList();
    return new InDoubt(update.decision().id(), update.decision().participant(), resources);
  }

  /** The number of those that coordinators decide. */
  public int inDoubtSize() {
    return ofCoordinators;
  }

  /** The approximate size in memory of those that coordinators decide. */
  public long inDoubtBytes() {
    return bytesOfCoordinators;
  }

  /**
   * Finds a key of an execution that an update for a coordinator changes too.
   *
   * @param read keys, or prefixes that end with a slash
   * @param changes of the execution
   * @return null for none
   */
  public String locked(Collection<String> read, List<StateChange> changes) {
    if (locked.isEmpty()) {
      return null;
    }
    for (String key : read) {
      String first = key.endsWith("/") ? locked.higherKey(key) : locked.containsKey(key) ? key : null;
      if (first != null && first.startsWith(key)) {
        return first;
      }
    }
    for (StateChange change : changes) {
      // Each update adds its own entries to a log.
      if (locked.containsKey(change.resource()) && !change.resource().endsWith(StateChange.NUMBERED)) {
        return change.resource();
      }
    }
    return null;
  }

  /** The highest decision of the database that is known to be committed; null for none. */
  public DecisionId lastCommitted() {
    return lastCommitted;
  }

  /** All items now, for a state transfer. */
  public List<Item> items() {
    List<Item> items = new ArrayList<>(byIndex.size() + 1);
    byIndex.values().forEach(update -> items.add(new Item.Prepared(update)));
    if (lastCommitted != null) {
      items.add(new Item.LastCommitted(lastCommitted));
    }
    return items;
  }

  /** Adds one of {@link #items}; ignores others. */
  public void restore(Item item) {
    if (item instanceof Item.Prepared prepared) {
      add(prepared.update());
    } else if (item instanceof Item.LastCommitted last) {
      lastCommitted = last.id();
    }
  }
}
