package org.understudy.replication.core.certification;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;

/**
 * The turns that requests have taken, in the order of their places. Replicated state.
 *
 * <p>A turn names the keys that the last run of its request has read or changed. While it is <em>open</em>, no other run takes effect that
 * changes one of them. A turn that names none excludes every other run that has read or changed something. A turn waits, and excludes
 * nothing, while an earlier one names one of its keys or none, and, if it names none itself, while there is an earlier one.
 */
final class Turns {
  /** The characters of the keys of all turns. A turn that would exceed them names none. */
  static final long MAX_CHARACTERS = 4_000_000;

  private final ArrayDeque<Item.Turn> all = new ArrayDeque<>();
  private final List<Item.Turn> open = new ArrayList<>();
  /** The open turn that names each key. */
  private final Map<String, Item.Turn> named = new TreeMap<>();
  private long characters;

  /** Ends the turns of earlier epochs. */
  void arrive(long epoch) {
    removeIf(turn -> turn.epoch() < epoch);
  }

  void add(Origin origin) {
    List<String> keys = origin.read().stream().sorted().distinct().toList();
    boolean fits = characters + characters(keys) <= MAX_CHARACTERS;
    add(new Item.Turn(origin.epoch(), origin.replica(), origin.number(), fits ? keys : List.of()));
  }

  void add(Item.Turn turn) {
    all.addLast(turn);
    characters += characters(turn.keys());
    decideWhichAreOpen();
  }

  void end(ReplicaId replica, long number) {
    removeIf(turn -> turn.replica().equals(replica) && turn.number() == number);
  }

  private void removeIf(Predicate<Item.Turn> ended) {
    if (all.removeIf(ended)) {
      characters = all.stream().mapToLong(turn -> characters(turn.keys())).sum();
      decideWhichAreOpen();
    }
  }

  private void decideWhichAreOpen() {
    open.clear();
    named.clear();
    TreeSet<String> earlier = new TreeSet<>();
    TreeSet<String> prefixes = new TreeSet<>();
    for (Item.Turn turn : all) {
      if (turn.keys().isEmpty()) {
        if (earlier.isEmpty()) {
          open.add(turn);
        }
        return;
      }
      boolean waits = turn.keys().stream().anyMatch(key -> prefixes.contains(key) || first(key, earlier::contains) != null);
      if (!waits) {
        open.add(turn);
        turn.keys().forEach(key -> named.put(key, turn));
      }
      for (String key : turn.keys()) {
        earlier.add(key);
        for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
          prefixes.add(key.substring(0, slash + 1));
        }
      }
    }
  }

  /** The key, or a prefix of it that ends with a slash, if one of them is among some; otherwise null. */
  private static String first(String key, Predicate<String> among) {
    if (among.test(key)) {
      return key;
    }
    for (int slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
      String prefix = key.substring(0, slash + 1);
      if (among.test(prefix)) {
        return prefix;
      }
    }
    return null;
  }

  private static long characters(List<String> keys) {
    long characters = 0;
    for (String key : keys) {
      characters += key.length();
    }
    return characters;
  }

  /** The turns whose runs may take effect. */
  List<Item.Turn> open() {
    return List.copyOf(open);
  }

  /** The open turn of this replica and number, or null. */
  Item.Turn open(ReplicaId replica, long number) {
    for (Item.Turn turn : open) {
      if (turn.replica().equals(replica) && turn.number() == number) {
        return turn;
      }
    }
    return null;
  }

  /**
   * Whether an open turn excludes a run.
   *
   * @param own the turn that the run has, or null
   */
  boolean excludes(Collection<String> read, List<StateChange> changes, Item.Turn own) {
    Item.Turn alone = alone();
    if (alone != null) {
      return !alone.equals(own) && !(read.isEmpty() && changes.isEmpty());
    }
    for (StateChange change : changes) {
      Item.Turn other = naming(change.resource());
      if (other != null && !other.equals(own)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an open turn names one of these keys, or excludes all other runs. */
  boolean names(Collection<String> keys) {
    return alone() != null || keys.stream().anyMatch(key -> naming(key) != null);
  }

  private Item.Turn alone() {
    return !open.isEmpty() && open.get(0).keys().isEmpty() ? open.get(0) : null;
  }

  private Item.Turn naming(String key) {
    if (named.isEmpty()) {
      return null;
    }
    String found = first(key, named::containsKey);
    return found == null ? null : named.get(found);
  }

  /** Whether the turn excludes other runs that change this key, or any key with this prefix. */
  static boolean covers(Item.Turn turn, String key) {
    return first(key, one -> Collections.binarySearch(turn.keys(), one) >= 0) != null;
  }

  List<Item.Turn> all() {
    return List.copyOf(all);
  }

  /** The epoch of all of them; 0 when there are none. */
  long epoch() {
    return all.isEmpty() ? 0 : all.peekFirst().epoch();
  }
}
