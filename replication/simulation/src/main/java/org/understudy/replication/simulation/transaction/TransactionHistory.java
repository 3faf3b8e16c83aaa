package org.understudy.replication.simulation.transaction;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.core.Role;
import org.understudy.replication.core.transaction.CoordinatorLife;

/** What clients know at the end of a history, compared with what the groups hold. */
final class TransactionHistory {
  /** A value of one group. */
  record Place(int group, String key) implements Comparable<Place> {
    @Override
    public int compareTo(Place other) {
      return group != other.group ? Integer.compare(group, other.group) : key.compareTo(other.key);
    }
  }

  /** The part of a group in a transaction. */
  record Part(int group, String transaction) implements Comparable<Part> {
    @Override
    public int compareTo(Part other) {
      return group != other.group ? Integer.compare(group, other.group) : transaction.compareTo(other.transaction);
    }
  }

  /** One transaction of a client. */
  static final class Entry {
    final String id;
    /** The values that its answered calls have changed, with the times when the first of them was asked. */
    final Map<Place, Long> changes = new TreeMap<>();
    boolean commitRequested;
    /** Null for unknown. */
    Boolean outcome;
    long answeredAt;

    Entry(String id) {
      this.id = id;
    }
  }

  private record Append(Place place, long asked, String entry) {}

  private record Both(Place one, Place other, long asked, String entry) {}

  private record Read(Place place, long asked, List<String> value) {}

  private final Map<String, Entry> transactions = new TreeMap<>();
  private final List<Append> appends = new ArrayList<>();
  private final List<Both> both = new ArrayList<>();
  private final List<Read> reads = new ArrayList<>();
  /** By group: when it has lost its memory last. */
  private final Map<Integer, Long> lost = new TreeMap<>();
  /** When branches were committed in the databases of their groups. */
  private final Map<Part, Long> branches = new TreeMap<>();
  /** What operators have asked for, and when first. */
  private final Map<Part, Map<Decision, Long>> operators = new TreeMap<>();
  /** What groups show of operators' decisions that coordinators have contradicted. */
  private final Map<Part, Decision> reports = new TreeMap<>();
  /** What operators have forgotten. */
  private final Set<Part> forgotten = new TreeSet<>();
  private final List<String> violations = new ArrayList<>();

  Entry begin(String transaction) {
    Entry entry = new Entry(transaction);
    transactions.put(transaction, entry);
    return entry;
  }

  void appended(int group, String key, long asked, String entry) {
    appends.add(new Append(new Place(group, key), asked, entry));
  }

  /** A request that changes two values, one of them in the database. */
  void begunAtBoth(int group, List<String> keys, long asked, String entry) {
    both.add(new Both(new Place(group, keys.get(0)), new Place(group, keys.get(1)), asked, entry));
  }

  void read(int group, String key, long asked, List<String> value) {
    reads.add(new Read(new Place(group, key), asked, value));
  }

  /** The group keeps only what its database has. */
  void memoryLost(int group, long now) {
    lost.put(group, now);
  }

  boolean hasLostMemory(int group) {
    return lost.containsKey(group);
  }

  /** Whether its client knows that it is committed. */
  boolean isCommitted(String transaction) {
    return transactions.containsKey(transaction) && Boolean.TRUE.equals(transactions.get(transaction).outcome);
  }

  /** @param transaction null for unknown */
  void branchCommitted(int group, String transaction, long now) {
    if (transaction != null) {
      branches.putIfAbsent(new Part(group, transaction), now);
    }
  }

  /** An operator asks a group for this decision. */
  void decidedByOperator(Part part, Decision decision, long now) {
    operators.computeIfAbsent(part, none -> new TreeMap<>()).putIfAbsent(decision, now);
  }

  /** Whether an operator has asked for this decision. */
  boolean hasBeenDecided(Part part, Decision decision) {
    return operators.getOrDefault(part, Map.of()).containsKey(decision);
  }

  /** A group shows that its operator's decision is not the coordinator's. */
  void reported(Part part, Decision decision) {
    reports.put(part, decision);
  }

  /** A group has forgotten its operator's decision. */
  void forgotten(Part part) {
    forgotten.add(part);
  }

  private boolean isForgotten(Place place, long asked) {
    return !SimulatedBranches.isInDatabase(place.key()) && asked <= lost.getOrDefault(place.group(), -1L);
  }

  long commits() {
    return transactions.values().stream().filter(entry -> Boolean.TRUE.equals(entry.outcome)).count();
  }

  long commitsWithoutLife() {
    return transactions.values().stream().filter(entry -> Boolean.TRUE.equals(entry.outcome) && !CoordinatorLife.isNamed(entry.id)).count();
  }

  long operatorDecisions() {
    return operators.size();
  }

  long contradictions() {
    return reports.size();
  }

  private void violation(String kind, String what) {
    violations.add(kind + ": " + what);
  }

  /** Takes what the groups show of operators' decisions; the coordinators' group has to know of those against a commit. */
  void collectReports(List<List<SimulatedNode>> groups) {
    SimulatedCoordinator coordinator = null;
    for (SimulatedNode node : groups.get(0)) {
      coordinator = node.role() == Role.PRIMARY ? node.container.coordinator() : coordinator;
    }
    for (List<SimulatedNode> group : groups) {
      for (OperatorEntry entry : OperatorEntry.all(group.get(0).image)) {
        int number = group.get(0).group;
        Part part = new Part(number, entry.transaction());
        if (forgotten.contains(part)) {
          violation("shown again", "an operator has forgotten the decision about " + part + ", and its group shows it: " + entry);
        }
        if (entry.contradicted()) {
          reported(part, entry.decision());
        }
        boolean known = coordinator != null && coordinator.isContradicted(entry.transaction(), number);
        if (entry.contradicted() && entry.decision() == Decision.ABORTED && !known) {
          violation("no report", "the coordinator's group does not show that an operator of group " + number + " has aborted " + entry);
        }
      }
    }
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
      if (!values.get(append.place()).contains(append.entry()) && !isForgotten(append.place(), append.asked())) {
        violation("durability", "the answered update " + append + " is lost: " + values.get(append.place()));
      }
    }
    for (Both one : both) {
      boolean forgotten = isForgotten(one.one(), one.asked()) || isForgotten(one.other(), one.asked());
      if (!forgotten && values.get(one.one()).contains(one.entry()) != values.get(one.other()).contains(one.entry())) {
        violation("half a request", one.toString());
      }
    }
    reads.stream().filter(read -> !isForgotten(read.place(), read.asked()))
        .forEach(read -> linearizable(read, values.get(read.place())));
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
      if (!OperatorEntry.all(node.image).isEmpty()) {
        violation("in doubt", "replica " + name + " keeps " + OperatorEntry.all(node.image));
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
    Set<Place> expected = new TreeSet<>(entry.changes.keySet());
    entry.changes.forEach((place, asked) -> {
      if (isForgotten(place, asked)) {
        expected.remove(place);
        present.remove(place);
      }
    });
    Set<Place> others = new TreeSet<>(expected);
    Set<Place> presentOthers = new TreeSet<>(present);
    List<Part> decided = operators.keySet().stream().filter(part -> part.transaction().equals(entry.id)).toList();
    for (Part part : decided) {
      others.removeIf(place -> place.group() == part.group());
      presentOthers.removeIf(place -> place.group() == part.group());
    }
    whole(entry, others, presentOthers);
    for (Part part : decided) {
      Boolean ofCoordinator = entry.outcome != null || others.isEmpty() ? entry.outcome : Boolean.valueOf(!presentOthers.isEmpty());
      Set<Place> own = new TreeSet<>(expected);
      own.removeIf(place -> place.group() != part.group());
      Set<Place> found = new TreeSet<>(present);
      found.removeIf(place -> place.group() != part.group());
      asOperatorsDecided(part, own, found, ofCoordinator);
    }
  }

  /** What no operator has decided. */
  private void whole(Entry entry, Set<Place> expected, Set<Place> present) {
    boolean all = present.equals(expected);
    if (Boolean.TRUE.equals(entry.outcome) && !all) {
      violation("durability", entry.id + " is answered as committed, with changes of " + expected + ", and has " + present);
    } else if (Boolean.FALSE.equals(entry.outcome) && !present.isEmpty()) {
      violation("not executed", entry.id + " is answered as aborted, and has " + present);
    } else if (!entry.commitRequested && !present.isEmpty()) {
      violation("not executed", entry.id + " was never to commit, and has " + present);
    } else if (!all && !present.isEmpty()) {
      violation("half a transaction", entry.id + " changed " + expected + ", and has " + present);
    }
  }

  /**
   * All of a part or nothing; otherwise than the coordinator only if an operator has wanted it, and then the group shows that.
   *
   * @param ofCoordinator null for unknown
   */
  private void asOperatorsDecided(Part part, Set<Place> expected, Set<Place> present, Boolean ofCoordinator) {
    if (!present.isEmpty() && !present.equals(expected)) {
      violation("half a part", part + " changed " + expected + ", and has " + present);
    }
    Map<Decision, Long> wanted = operators.get(part);
    boolean mayBeForgotten = wanted.values().stream().anyMatch(asked -> asked <= lost.getOrDefault(part.group(), -1L));
    if (expected.isEmpty() || ofCoordinator == null || mayBeForgotten) {
      return;
    }
    boolean committed = !present.isEmpty();
    Decision decision = committed ? Decision.COMMITTED : Decision.ABORTED;
    if (committed == ofCoordinator && reports.containsKey(part)) {
      violation("false report", part + " is " + decision + " as its coordinator decided, and its group shows a contradiction");
    } else if (committed != ofCoordinator && !wanted.containsKey(decision)) {
      violation("half a transaction", part + " is " + decision + ", which neither its coordinator nor an operator has decided");
    } else if (committed != ofCoordinator && reports.get(part) != decision) {
      violation("no report", part + " is " + decision + " by an operator, against its coordinator, and its group does not show it");
    }
  }

  /** A group without its memory does not lock what it has voted for. Until the branch is found and committed, reads show the old value. */
  private boolean isUnseen(Read read, long changed, Entry entry) {
    int group = read.place().group();
    boolean lostSince = changed <= lost.getOrDefault(group, -1L);
    return lostSince && read.asked() < branches.getOrDefault(new Part(group, entry.id), -1L);
  }

  private void linearizable(Read read, List<String> value) {
    if (read.value().size() > value.size() || !value.subList(0, read.value().size()).equals(read.value())) {
      violation("linearizable", "a read at " + read.place() + " returned " + read.value() + ", and the value is " + value);
    }
    for (Entry entry : transactions.values()) {
      boolean before = Boolean.TRUE.equals(entry.outcome) && entry.answeredAt < read.asked();
      Long changed = entry.changes.get(read.place());
      boolean counts = changed != null && !isForgotten(read.place(), changed) && !isUnseen(read, changed, entry)
          && !operators.containsKey(new Part(read.place().group(), entry.id));
      if (before && counts && !read.value().contains(entry.id)) {
        violation("linearizable", "a read at " + read.place() + " does not show " + entry.id + ", which was answered before");
      }
    }
  }
}
