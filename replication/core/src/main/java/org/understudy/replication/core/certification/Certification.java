package org.understudy.replication.core.certification;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Certifies updates at their places in the order. An update takes effect when nothing that its run read, created, wrote or
 * destroyed has changed since, and when no other run has a turn that excludes it. Replicated state: equal orders give equal decisions.
 *
 * <p>{@link Turns} keep a request from starving. While one is open, no run takes effect that changes what it names, so the result of its
 * own run is certified if that touches nothing else. Turns belong to an epoch: the first update of the next one ends them.
 */
public final class Certification {
  private final VersionTable versions = new VersionTable();
  private final Turns turns = new Turns();
  private ReplicatedLimits limits;

  /** Called first at each update's place: its epoch ends turns of earlier ones. */
  public void arrive(Origin origin) {
    turns.arrive(origin.epoch());
  }

  /** Whether nothing that the update's run rests on has changed since. */
  public boolean isFresh(StateUpdate update) {
    Origin origin = update.origin();
    Item.Turn own = turns.open(origin.replica(), origin.turn());
    for (String key : origin.read()) {
      if (isChangedAfter(key, origin.base(), own)) {
        return false;
      }
    }
    return areUnchanged(update.changes(), origin.base(), own);
  }

  /**
   * Whether none of these resources was changed after this update.
   *
   * @param own the turn that the run has which has changed them, or null
   */
  public boolean areUnchanged(List<StateChange> changes, long base, Item.Turn own) {
    for (StateChange change : changes) {
      if (!isEntry(change) && isChangedAfter(change.resource(), base, own)) {
        return false;
      }
    }
    return true;
  }

  /**
   * Whether the key, or one with this prefix, may have been changed after this update, at which the run began. Not if the run's own turn
   * names it, however many others have changed since: the table of versions may have forgotten the key.
   */
  public boolean isChangedAfter(String key, long index, Item.Turn own) {
    return versions.isChangedAfter(key, index) && !(own != null && Turns.covers(own, key));
  }

  /**
   * Whether a run saw one state in all that it read, although updates of other replicas were applied while it ran. What has not changed
   * since it was read shows every state since its last change. What has changed since was read at an unknown moment: that is harmless
   * for one key, if the others show every state since before.
   *
   * @param read the keys, each with the version at which it was read
   * @param began the last update that was applied when the run began
   */
  public boolean isOneState(Map<String, Long> read, long began) {
    if (read.size() < 2) {
      return true;
    }
    long changedKeys = 0;
    long changedFrom = Long.MAX_VALUE;
    long othersFrom = 0;
    for (Map.Entry<String, Long> one : read.entrySet()) {
      long readAt = Math.max(one.getValue(), began);
      long changed = versions.lastChange(one.getKey());
      if (changed > readAt) {
        changedKeys++;
        changedFrom = readAt;
      } else {
        othersFrom = Math.max(othersFrom, changed);
      }
    }
    return changedKeys == 0 || (changedKeys == 1 && othersFrom <= changedFrom);
  }

  /** The id of a new entry is unique, so nothing can have changed it. */
  private static boolean isEntry(StateChange change) {
    return change.resource().endsWith(StateChange.NUMBERED);
  }

  /** Adds what a run of these reads and changes rests on, and what rests on it, to the keys that a turn would name. */
  public static void addTouched(Collection<String> read, List<StateChange> changes, Collection<String> keys) {
    keys.addAll(read);
    changes.stream().filter(change -> !isEntry(change)).map(StateChange::resource).forEach(keys::add);
  }

  /** Whether another run has a turn that excludes this update, so that it must wait. */
  public boolean isDeferred(StateUpdate update) {
    Origin origin = update.origin();
    return turns.excludes(origin.read(), update.changes(), turns.open(origin.replica(), origin.turn()));
  }

  /** The same for a run that is not proposed yet, in this epoch. */
  public boolean isDeferred(long epoch, Collection<String> read, List<StateChange> changes, Item.Turn own) {
    return turns.epoch() >= epoch && turns.excludes(read, changes, own);
  }

  /** Whether a run that touches these keys may have to wait in this epoch. */
  public boolean mayDefer(long epoch, Collection<String> keys) {
    return turns.epoch() >= epoch && turns.names(keys);
  }

  /** The turns of this epoch that exclude other runs. */
  public List<Item.Turn> openTurns(long epoch) {
    return turns.epoch() < epoch ? List.of() : turns.open();
  }

  /** The open turn of this epoch, replica and number, or null. */
  public Item.Turn openTurn(long epoch, ReplicaId replica, long number) {
    return number == 0 || turns.epoch() < epoch ? null : turns.open(replica, number);
  }

  /** Adds a turn behind the earlier ones. It names what the origin has read. */
  public void addTurn(Origin origin) {
    turns.add(origin);
  }

  /** Ends the turn that this proposal had, if any. */
  public void endTurn(Origin origin) {
    turns.end(origin.replica(), origin.turn());
  }

  /** Records the changes of an update that took effect, or was applied. */
  public void record(StateUpdate update) {
    for (StateChange change : update.changes()) {
      versions.record(change, update.index());
    }
  }

  /** The limits on what the group stores, by which all replicas decide; null before the first. */
  public ReplicatedLimits limits() {
    return limits;
  }

  /** Sets the limits for the updates that follow. */
  public void limits(ReplicatedLimits inForce) {
    limits = inForce;
  }

  // ---- state transfer

  /** What {@link #restore} takes, in this order; empty while nothing was certified. */
  public List<Item> items() {
    List<Item> items = new ArrayList<>();
    versions.addTo(items);
    items.addAll(turns.all());
    if (limits != null) {
      items.add(new Item.LimitsInForce(limits));
    }
    return items;
  }

  /** Adds one of {@link #items}; ignores others. */
  public void restore(Item item) {
    if (item instanceof Item.Versions some) {
      versions.restore(some);
    } else if (item instanceof Item.Turn turn) {
      turns.add(turn);
    } else if (item instanceof Item.LimitsInForce inForce) {
      limits = inForce.limits();
    }
  }
}
