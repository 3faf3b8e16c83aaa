package org.understudy.replication.core.membership;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.membership.MembershipMessage.NewView;
import org.understudy.replication.core.membership.MembershipMessage.Promise;

/** Collects a candidate's promises for one epoch and derives the next view from them. */
final class Ballot {
  private final ReplicaSetup setup;
  private final long epoch;
  private final boolean first;
  private final long startedAt;
  private final Map<ReplicaId, Promise> promises = new TreeMap<>();

  Ballot(ReplicaSetup setup, long epoch, boolean first, long startedAt) {
    this.setup = setup;
    this.epoch = epoch;
    this.first = first;
    this.startedAt = startedAt;
  }

  long epoch() {
    return epoch;
  }

  boolean first() {
    return first;
  }

  long startedAt() {
    return startedAt;
  }

  void add(ReplicaId voter, Promise promise) {
    promises.put(voter, promise);
  }

  boolean has(ReplicaId voter) {
    return promises.containsKey(voter);
  }

  boolean everybodyPromised() {
    return promises.size() == setup.configured().size();
  }

  /**
   * The next view, or null when these promises do not allow one.
   *
   * @param senior the designated next primary, which wins a tie
   * @param stuck replicas that are not members if the others are a majority
   * @param quarantined joiners that are not members if the others are a majority
   */
  NewView view(ReplicaId senior, Set<ReplicaId> stuck, Set<ReplicaId> quarantined) {
    List<ReplicaId> voters = voters();
    int needed = setup.enforces(Rule.MAJORITY_PROMISES) ? setup.majority() : 1;
    if (voters.size() < needed || (first && !everybodyPromised())) {
      return null;
    }
    View last = first ? View.NONE : lastBase(voters);
    List<ReplicaId> complete = new ArrayList<>();
    for (Map.Entry<ReplicaId, Promise> entry : promises.entrySet()) {
      Promise promise = entry.getValue();
      boolean wasMember = last.epoch() == 0 || last.contains(entry.getKey());
      // A replica with an empty disk holds nothing of a view that it does not remember.
      boolean remembers = promise.voter() || last.epoch() == 0;
      if (promise.complete() && remembers && (wasMember || !setup.enforces(Rule.MEMBERS_FROM_LAST_VIEW))) {
        complete.add(entry.getKey());
      }
    }
    if (complete.isEmpty()) {
      return null;
    }
    Set<ReplicaId> both = new TreeSet<>(stuck);
    both.addAll(quarantined);
    for (Set<ReplicaId> avoided : List.of(both, stuck)) {
      List<ReplicaId> rest = new ArrayList<>(complete);
      rest.removeAll(avoided);
      if (!rest.isEmpty()) {
        NewView without = view(senior, last, voters, rest, avoided);
        if (without.view().members().size() >= setup.majority()) {
          return without;
        }
      }
    }
    return view(senior, last, voters, complete, Set.of());
  }

  private NewView view(
      ReplicaId senior, View last, List<ReplicaId> voters, List<ReplicaId> complete, Set<ReplicaId> avoided) {
    Comparator<ReplicaId> byLength = Comparator.comparingLong(replica -> -promises.get(replica).received());
    if (!setup.enforces(Rule.LONGEST_BECOMES_PRIMARY)) {
      byLength = Comparator.comparingLong(replica -> promises.get(replica).received());
    }
    // On a tie, the old primary stays, so that a joiner does not move the primary; otherwise its senior wins.
    complete.sort(
        byLength
            .thenComparing(replica -> !replica.equals(last.primary()))
            .thenComparing(replica -> !replica.equals(senior))
            .thenComparing(Comparator.naturalOrder()));
    ReplicaId primary = complete.get(0);
    long start = promises.get(primary).received();

    List<ReplicaId> members = new ArrayList<>();
    members.add(primary);
    for (ReplicaId replica : last.members()) {
      if (complete.contains(replica) && !members.contains(replica)) {
        members.add(replica);
      }
    }
    for (ReplicaId replica : complete) {
      if (!members.contains(replica)) {
        members.add(replica);
      }
    }
    int written = promises.get(primary).wire();
    // A joiner is admitted when it holds everything that the primary holds: then it lacks nothing that is stable.
    for (Map.Entry<ReplicaId, Promise> entry : promises.entrySet()) {
      Promise promise = entry.getValue();
      if (!members.contains(entry.getKey())
          && !avoided.contains(entry.getKey())
          && promise.complete()
          && promise.base().epoch() == last.epoch()
          && promise.received() == start
          && (promise.reads().reads(written) || !setup.enforces(Rule.JOINER_READS_WIRE))) {
        members.add(entry.getKey());
      }
    }
    View next = new View(epoch, members);
    List<Long> incarnations = members.stream().map(member -> promises.get(member).incarnation()).toList();
    boolean small = setup.lacksQuorum(next);
    return new NewView(next, small ? last : next, start, voters, incarnations, wire(members, small ? written : 0));
  }

  /**
   * The wire version that every member reads. Never below the version of the last view, because all members hold state
   * written in it. A small view keeps its base's version, because members of the base that it leaves out may return.
   *
   * @param kept the version of the base of a small view, or 0
   */
  private int wire(List<ReplicaId> members, int kept) {
    if (kept > 0) {
      return kept;
    }
    if (!setup.enforces(Rule.WIRE_OF_LOWEST_MEMBER)) {
      return promises.get(members.get(0)).reads().newest();
    }
    return members.stream().mapToInt(member -> promises.get(member).reads().newest()).min().orElseThrow();
  }

  /** The last view in which anything can have become stable. */
  private View lastBase(List<ReplicaId> voters) {
    View last = View.NONE;
    for (ReplicaId voter : voters) {
      View base = promises.get(voter).base();
      if (base.epoch() > last.epoch()) {
        last = base;
      }
    }
    return last;
  }

  private List<ReplicaId> voters() {
    List<ReplicaId> voters = new ArrayList<>();
    for (Map.Entry<ReplicaId, Promise> entry : promises.entrySet()) {
      if (entry.getValue().voter() || first || !setup.enforces(Rule.EMPTY_DISK_HAS_NO_VOTE)) {
        voters.add(entry.getKey());
      }
    }
    return voters;
  }
}
