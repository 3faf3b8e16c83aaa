package org.understudy.replication.core.store;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.core.update.StateUpdate;

/** Updates without effect so far, which a database decides, and the last decision that is known. Part of the replicated state. */
public final class PreparedUpdates {
  private final TreeMap<Long, StateUpdate> byIndex = new TreeMap<>();
  private long bytes;
  /** Null before the first one. */
  private DecisionId lastCommitted;

  /** Adds an update that is prepared at its index. */
  public void add(StateUpdate update) {
    StateUpdate before = byIndex.put(update.index(), update);
    bytes += update.bytes() - (before == null ? 0 : before.bytes());
  }

  /** The update with this id, or null. */
  public StateUpdate find(DecisionId id) {
    StateUpdate found = byIndex.get(id.index());
    return found != null && found.decision().id().equals(id) ? found : null;
  }

  /** Removes the update with this id, because it is decided. Returns null when there is none. */
  public StateUpdate decided(DecisionId id, boolean committed) {
    if (committed && (lastCommitted == null || lastCommitted.compareTo(id) < 0)) {
      lastCommitted = id;
    }
    StateUpdate found = find(id);
    if (found != null) {
      byIndex.remove(id.index());
      bytes -= found.bytes();
    }
    return found;
  }

  /** In ascending order of their indexes; a view. */
  public Collection<StateUpdate> all() {
    return Collections.unmodifiableCollection(byIndex.values());
  }

  /** The ids of all, in ascending order of their indexes. */
  public List<DecisionId> ids() {
    List<DecisionId> ids = new ArrayList<>(byIndex.size());
    byIndex.values().forEach(update -> ids.add(update.decision().id()));
    return ids;
  }

  public int size() {
    return byIndex.size();
  }

  /** The approximate size in memory. */
  public long bytes() {
    return bytes;
  }

  /** The highest decision that is known to be committed; null for none. */
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
