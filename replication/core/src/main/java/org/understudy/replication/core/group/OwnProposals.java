package org.understudy.replication.core.group;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.understudy.replication.core.session.Execution;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateUpdate;

/**
 * This replica's executions between their runs and their places in the order: proposed ones, ones that wait to be proposed,
 * and those that have requested a turn.
 */
final class OwnProposals {
  private static final int MOST_DOUBLINGS = 3;

  /** The proposals of a replica are numbered anew in each epoch. */
  private record Place(long epoch, long number) {}

  /** @param execution null for the end of a turn */
  private record Sent(StateUpdate update, Execution execution, long at) {}

  /** In the order in which they were proposed. */
  private final LinkedHashMap<Place, Sent> sent = new LinkedHashMap<>();
  private long sentBytes;
  /** They change nothing until they are proposed, again or for the first time. */
  private List<Execution> parked = new ArrayList<>();
  private long parkedBytes;
  /** Executions whose turn has its place in the order, by the number of the turn. */
  private final TreeMap<Long, Execution> turns = new TreeMap<>();
  private long epoch;
  private long last;
  private long placedUpTo;
  private long resentAt;
  /** How often they were sent again since one had its place. */
  private int inVain;

  /**
   * Called when this replica enters a view.
   *
   * @param started the numbers of the turns whose runs have begun
   */
  void enter(long entered, Set<Long> started) {
    epoch = entered;
    last = 0;
    placedUpTo = 0;
    inVain = 0;
    turns.keySet().removeAll(started);
    parked.addAll(turns.values());
    turns.clear();
  }

  /** The number of the next proposal. */
  long next() {
    return ++last;
  }

  /** The executions that wait for a place or for a turn. */
  int size() {
    return sent.size() + parked.size() + turns.size();
  }

  /** Approximate bytes of what they have left. */
  long bytes() {
    return sentBytes + parkedBytes;
  }

  // ---- proposed

  /** Adds a proposal of the current epoch. */
  void add(long now, StateUpdate update, Execution execution) {
    sent.put(new Place(update.origin().epoch(), update.origin().number()), new Sent(update, execution, now));
    sentBytes += update.bytes();
  }

  /** Removes the proposal, which has its place: its execution, or null when it has none or is not of this incarnation. */
  Execution take(Origin origin) {
    Sent own = sent.remove(new Place(origin.epoch(), origin.number()));
    if (own == null) {
      return null;
    }
    sentBytes -= own.update().bytes();
    return own.execution();
  }

  /** Records that the sequencer has this proposal of this replica, so it need not be sent again. */
  void placed(Origin origin) {
    if (origin.epoch() == epoch) {
      inVain = origin.number() > placedUpTo ? 0 : inVain;
      placedUpTo = Math.max(placedUpTo, origin.number());
    }
  }

  /**
   * The first proposals that the sequencer may not have, when they are due to be sent again; mostly none. Each time in vain the pause
   * becomes twice as long: on a narrow link they may not have arrived, and copies would fill it.
   *
   * @param afterNanos the first pause
   */
  List<StateUpdate> overdue(long now, long afterNanos, int max) {
    List<StateUpdate> overdue = new ArrayList<>();
    if (sent.isEmpty() || now - resentAt < afterNanos << inVain) {
      return overdue;
    }
    for (Map.Entry<Place, Sent> entry : sent.entrySet()) {
      boolean open = entry.getKey().epoch() == epoch && entry.getKey().number() > placedUpTo;
      if (open && (!overdue.isEmpty() || now - entry.getValue().at() >= afterNanos)) {
        overdue.add(entry.getValue().update());
      }
      if (open && (overdue.isEmpty() || overdue.size() == max)) {
        break;
      }
    }
    if (!overdue.isEmpty()) {
      resentAt = now;
      inVain = Math.min(inVain + 1, MOST_DOUBLINGS);
    }
    return overdue;
  }

  /** The proposals of the current epoch after this number, in their order. */
  List<StateUpdate> after(long number) {
    List<StateUpdate> after = new ArrayList<>();
    sent.forEach((place, one) -> {
      if (place.epoch() == epoch && place.number() > number) {
        after.add(one.update());
      }
    });
    return after;
  }

  /** Removes the proposals of earlier epochs, and returns the executions of those. */
  List<Execution> takeEarlier() {
    List<Execution> earlier = new ArrayList<>();
    sent.entrySet().removeIf(entry -> {
      boolean old = entry.getKey().epoch() < epoch;
      if (old && entry.getValue().execution() != null) {
        earlier.add(entry.getValue().execution());
      }
      sentBytes -= old ? entry.getValue().update().bytes() : 0;
      return old;
    });
    return earlier;
  }

  /** Removes all proposals, and returns their executions. */
  List<Execution> takeSent() {
    List<Execution> all = new ArrayList<>();
    sent.values().forEach(one -> {
      if (one.execution() != null) {
        all.add(one.execution());
      }
    });
    sent.clear();
    sentBytes = 0;
    return all;
  }

  /** The executions of the proposals. */
  List<Execution> sent() {
    return sent.values().stream().map(Sent::execution).filter(Objects::nonNull).toList();
  }

  /** Removes all executions that have a turn or wait for theirs, and returns them. */
  List<Execution> takeTurns() {
    List<Execution> all = new ArrayList<>(turns.values());
    turns.clear();
    return all;
  }

  // ---- parked

  void park(Execution execution) {
    parked.add(execution);
    parkedBytes += execution.bytes();
  }

  boolean hasParked() {
    return !parked.isEmpty();
  }

  List<Execution> takeParked() {
    List<Execution> all = parked;
    parked = new ArrayList<>();
    parkedBytes = 0;
    return all;
  }

  // ---- turns

  void addTurn(long number, Execution execution) {
    turns.put(number, execution);
  }

  /** The execution that has this turn of the current epoch, or null. */
  Execution withTurn(long number) {
    return turns.get(number);
  }

  /** The turn of this execution in the current epoch; 0 for none. */
  long turnOf(Execution execution) {
    for (Map.Entry<Long, Execution> turn : turns.entrySet()) {
      if (turn.getValue() == execution) {
        return turn.getKey();
      }
    }
    return 0;
  }

  void endTurn(long number) {
    turns.remove(number);
  }
}
