package org.understudy.replication.core.certification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.understudy.replication.core.limit.ReplicatedLimits;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/**
 * Certifies updates at their places in the order. An update takes effect when nothing that its run read, created, wrote or
 * destroyed has changed since, and when no other run has the turn. Replicated state: equal orders give equal decisions.
 *
 * <p>Turns keep a request from starving. Between the proposal of a turn and the result of its run, no other run takes
 * effect, so that result is certified. Turns belong to an epoch: the first update of the next one ends them.
 */
public final class Certification {
  private final VersionTable versions = new VersionTable();
  private final ArrayDeque<Item.Turn> turns = new ArrayDeque<>();
  private ReplicatedLimits limits;

  /** Called first at each update's place: its epoch ends turns of earlier ones. */
  public void arrive(Origin origin) {
    while (!turns.isEmpty() && turns.peekFirst().epoch() < origin.epoch()) {
      turns.removeFirst();
    }
  }

  /** Whether nothing that the update's run rests on has changed since. */
  public boolean isFresh(StateUpdate update) {
    Origin origin = update.origin();
    return isFresh(origin.read(), update.changes(), origin.base());
  }

  /** Whether none of these keys was changed after this update. */
  public boolean isFresh(List<String> read, List<StateChange> changes, long base) {
    for (String key : read) {
      if (versions.isChangedAfter(key, base)) {
        return false;
      }
    }
    for (StateChange change : changes) {
      if (!isEntry(change) && versions.isChangedAfter(change.resource(), base)) {
        return false;
      }
    }
    return true;
  }

  /** Whether the key, or one with this prefix, may have been changed after this update. */
  public boolean isChangedAfter(String key, long index) {
    return versions.isChangedAfter(key, index);
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
    return read.size() < 2 || changedKeys == 0 || (changedKeys == 1 && othersFrom <= changedFrom);
  }

  /** The id of a new entry is unique, so nothing can have changed it. */
  private static boolean isEntry(StateChange change) {
    return change.resource().endsWith(StateChange.NUMBERED);
  }

  /** Whether another run has the turn, so that this update must wait. */
  public boolean isDeferred(StateUpdate update) {
    Item.Turn turn = turns.peekFirst();
    Origin origin = update.origin();
    boolean has = turn != null && turn.replica().equals(origin.replica()) && turn.number() == origin.turn();
    return turn != null && !has && !(origin.read().isEmpty() && update.changes().isEmpty());
  }

  /** The turn that excludes other runs, or null. */
  public Item.Turn turn() {
    return turns.peekFirst();
  }

  /** Adds a turn behind those that wait. */
  public void addTurn(Origin origin) {
    turns.addLast(new Item.Turn(origin.epoch(), origin.replica(), origin.number()));
  }

  /** Ends the turn that this proposal had, if any. */
  public void endTurn(Origin origin) {
    turns.removeIf(turn -> turn.replica().equals(origin.replica()) && turn.number() == origin.turn());
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
    items.addAll(turns);
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
      turns.addLast(turn);
    } else if (item instanceof Item.LimitsInForce inForce) {
      limits = inForce.limits();
    }
  }
}
