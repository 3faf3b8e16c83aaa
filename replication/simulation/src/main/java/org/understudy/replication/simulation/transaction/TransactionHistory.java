package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.core.Role;

/** What clients know at the end of a history, compared with what the groups hold. */
final class TransactionHistory {
  /** A value of one group. */
  record Place(int group, String key) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return group != other.group ? Integer.compare(group, other.group) : key.compareTo(other.key);
    }
  }

  /** One transaction of a client. */
  static final class Entry {
    final String id;
    /** The values that its answered calls have changed. */
    final Set<Place> changes = new TreeSet<>();
    boolean commitRequested;
    /** Null for unknown. */
    Boolean outcome;
    long answeredAt;

    Entry(String id) {
      this.id = id;
    }
  }

  private record Append(Place place, String entry) {}

  private record Both(Place one, Place other, String entry) {}

  private record Read(Place place, long asked, List<String> value) {}

  private final Map<String, Entry> transactions = new TreeMap<>();
  private final List<Append> appends = new ArrayList<>();
  private final List<Both> both = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  private final List<String> violations = new ArrayList<>();

  Entry begin(String transaction) {
    Entry entry = new Entry(transaction);
    transactions.put(transaction, entry);
    return entry;
  }

  void appended(int group, String key, String entry) {
    appends.add(new Append(new Place(group, key), entry));
  }

  /** A request that changes two values, one of them in the database. */
  void begunAtBoth(int group, List<String> keys, String entry) {
    both.add(new Both(new Place(group, keys.get(0)), new Place(group, keys.get(1)), entry));
  }

  void read(int group, String key, long asked, List<String> value) {
    reads.add(new Read(new Place(group, key), asked, value));
  }

  long commits() {
    return transactions.values().stream().filter(entry -> Boolean.TRUE.equals(entry.outcome)).count();
  }

  private void violation(String kind, String what) {
    violations.add(kind + ": " + what);
  }

  /** Returns the violations, with those that show at the end. */
  List<String> check(List<List<SimulatedNode>> groups) {
    Map<Place, List<String>> values = new TreeMap<>();
    for (List<SimulatedNode> group : groups) {
      settled(group);
      GroupDatabase database = group.get(0).simulation.database(group.get(0).group);
      for (String key : TransactionClient.keys(database != null)) {
        byte[] value = SimulatedBranches.isInDatabase(key) ? database.value(key) : group.get(0).image.get(key);
        values.put(new Place(group.get(0).group, key), SimulatedValues.entries(value));
      }
      if (database != null && !database.unfinished().isEmpty()) {
        violation("in doubt", "the database of group " + group.get(0).group + " has " + database.unfinished());
      }
    }
    values.forEach((place, value) -> {
      if (new HashSet<>(value).size() < value.size()) {
        violation("exactly once", place + " has an entry twice: " + value);
      }
    });
    transactions.values().forEach(entry -> atomic(entry, values));
    for (Append append : appends) {
      if (!values.get(append.place()).contains(append.entry())) {
        violation("durability", "the answered update " + append + " is lost: " + values.get(append.place()));
      }
    }
    for (Both one : both) {
      if (values.get(one.one()).contains(one.entry()) != values.get(one.other()).contains(one.entry())) {
        violation("half a request", one.toString());
      }
    }
    reads.forEach(read -> linearizable(read, values.get(read.place())));
    return violations;
  }

  private void settled(List<SimulatedNode> group) {
    for (SimulatedNode node : group) {
      String name = node.group + "." + node.number;
      if (!node.core().undecided().isEmpty()) {
        violation("in doubt", "replica " + name + " holds " + node.core().undecided());
      }
      if (node.core().digest() != group.get(0).core().digest()) {
        violation("agreement", "replica " + name + " has another state than the first of its group");
      }
      if (!node.container.unfinished().isEmpty()) {
        violation("in doubt", "replica " + name + " has " + node.container.unfinished());
      }
      SimulatedCoordinator coordinator = node.container.coordinator();
      boolean records = !node.image.subMap(SimulatedCoordinator.RECORDS, SimulatedCoordinator.RECORDS + "~").isEmpty();
      if (coordinator != null && (coordinator.unacknowledged() > 0 || records)) {
        violation("in doubt", "coordinator " + name + " keeps decisions that all participants know");
      }
    }
    if (group.stream().noneMatch(node -> node.role() == Role.PRIMARY)) {
      violation("agreement", "group " + group.get(0).group + " has no primary");
    }
  }

  private void atomic(Entry entry, Map<Place, List<String>> values) {
    Set<Place> present = new TreeSet<>();
    values.forEach((place, value) -> {
      if (value.contains(entry.id)) {
        present.add(place);
      }
    });
    boolean all = present.equals(entry.changes);
    if (Boolean.TRUE.equals(entry.outcome) && !all) {
      violation("durability", entry.id + " is answered as committed, with changes of " + entry.changes + ", and has " + present);
    } else if (Boolean.FALSE.equals(entry.outcome) && !present.isEmpty()) {
      violation("not executed", entry.id + " is answered as aborted, and has " + present);
    } else if (!entry.commitRequested && !present.isEmpty()) {
      violation("not executed", entry.id + " was never to commit, and has " + present);
    } else if (!all && !present.isEmpty()) {
      violation("half a transaction", entry.id + " changed " + entry.changes + ", and has " + present);
    }
  }

  private void linearizable(Read read, List<String> value) {
    if (read.value().size() > value.size() || !value.subList(0, read.value().size()).equals(read.value())) {
      violation("linearizable", "a read at " + read.place() + " returned " + read.value() + ", and the value is " + value);
    }
    for (Entry entry : transactions.values()) {
      boolean before = Boolean.TRUE.equals(entry.outcome) && entry.answeredAt < read.asked();
      if (before && entry.changes.contains(read.place()) && !read.value().contains(entry.id)) {
        violation("linearizable", "a read at " + read.place() + " does not show " + entry.id + ", which was answered before");
      }
    }
  }
}
