package org.understudy.replication.core.membership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.View;
import org.understudy.replication.core.ReplicaSetup;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.membership.MembershipMessage.NewView;
import org.understudy.replication.core.membership.MembershipMessage.Promise;
import org.understudy.replication.core.record.Recovered;
import org.understudy.replication.core.wire.WireVersions;

/** The view that follows from given promises. */
class BallotTest {
  private static final long EPOCH = 20;
  private static final View LAST = view(9, 2, 1, 3);

  private static ReplicaSetup setup(int replicas) {
    List<ReplicaId> configured = IntStream.rangeClosed(1, replicas).mapToObj(ReplicaId::new).toList();
    return new ReplicaSetup(
        new ReplicaId(1), configured, Recovered.NOTHING, 1,
        Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)), Limits.DEFAULTS, Rule.ALL);
  }

  private static Ballot ballot(int replicas) {
    return new Ballot(setup(replicas), EPOCH, false, 0);
  }

  private static View view(long epoch, int... members) {
    return new View(epoch, ids(members));
  }

  private static List<ReplicaId> ids(int... numbers) {
    return Arrays.stream(numbers).mapToObj(ReplicaId::new).toList();
  }

  private static Set<ReplicaId> set(int... numbers) {
    return new TreeSet<>(ids(numbers));
  }

  /** A promise of a replica that has the state and a vote. */
  private static Promise holds(View base, long received) {
    return new Promise(EPOCH, base, true, received, true, 1);
  }

  /** A promise of a replica that restarted: its record is intact, its state is lost. */
  private static Promise restarted(View base) {
    return new Promise(EPOCH, base, false, 0, true, 1);
  }

  /** A promise of a replica whose disk was lost. */
  private static Promise empty() {
    return new Promise(EPOCH, View.NONE, false, 0, false, 1);
  }

  private static Ballot with(Ballot ballot, Object... votersAndPromises) {
    for (int i = 0; i < votersAndPromises.length; i += 2) {
      ballot.add(new ReplicaId((Integer) votersAndPromises[i]), (Promise) votersAndPromises[i + 1]);
    }
    return ballot;
  }

  private static NewView next(Ballot ballot) {
    return ballot.view(null, Set.of(), Set.of());
  }

  @Test
  void minorityFormsNoView() {
    assertNull(next(ballot(3)));
    assertNull(next(with(ballot(3), 1, holds(LAST, 5))));
    assertNull(next(with(ballot(4), 1, holds(LAST, 5), 2, holds(LAST, 5))), "half is no majority");
    assertNotNull(next(with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 5))));
  }

  @Test
  void emptyDisksDoNotCountForAMajority() {
    assertNull(next(with(ballot(3), 1, holds(LAST, 5), 2, empty())));
    assertNull(next(with(ballot(3), 1, holds(LAST, 5), 2, empty(), 3, empty())));
  }

  @Test
  void firstViewNeedsAllReplicas() {
    Promise blank = new Promise(EPOCH, View.NONE, true, 0, false, 1);
    Ballot first = new Ballot(setup(3), EPOCH, true, 0);
    with(first, 1, blank, 3, blank);
    assertNull(next(first), "replica 2 might know of a view");
    with(first, 2, blank);
    assertEquals(ids(1, 2, 3), next(first).view().members());
    assertEquals(next(first).view(), next(first).base());
  }

  @Test
  void onlyHoldersOfTheLastViewsStateBecomeMembers() {
    NewView next = next(with(ballot(3), 1, holds(LAST, 5), 2, restarted(LAST), 3, holds(LAST, 5)));
    assertEquals(ids(1, 3), next.view().members());
    assertEquals(5, next.start());
    assertEquals(ids(1, 2, 3), next.voters(), "a restarted replica has a vote");
    assertNull(next(with(ballot(3), 1, restarted(LAST), 2, restarted(LAST), 3, restarted(LAST))), "the state is lost");
  }

  @Test
  void memberOfAnOlderViewIsNoMemberOfTheLast() {
    View older = view(8, 4, 5, 1);
    View last = view(9, 1, 2, 3);
    // Replica 4 holds the most updates, but of a view that was replaced.
    NewView next =
        next(with(ballot(5), 4, holds(older, 100), 3, holds(last, 7), 5, restarted(older)));
    assertEquals(new ReplicaId(3), next.view().primary());
    assertFalse(next.view().contains(new ReplicaId(4)));
    assertEquals(last, next.base(), "one member of five makes nothing stable: the last view stays the base");
  }

  @Test
  void oneVoterSufficesToKnowTheLastView() {
    View older = view(8, 1, 2, 3, 4, 5);
    View last = view(9, 3, 4, 5);
    assertNull(
        next(with(ballot(5), 1, holds(older, 50), 2, holds(older, 50), 3, restarted(last))),
        "nobody here holds what became stable in view 9");
  }

  @Test
  void longestLogBecomesPrimaryThenOldPrimaryThenSenior() {
    assertEquals(
        ids(3, 2, 1), next(with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 5), 3, holds(LAST, 6))).view().members());
    assertEquals(
        ids(2, 1, 3), next(with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 5), 3, holds(LAST, 5))).view().members());
    Ballot withoutTheOld = with(ballot(3), 1, holds(LAST, 5), 3, holds(LAST, 5));
    assertEquals(ids(3, 1), withoutTheOld.view(new ReplicaId(3), Set.of(), Set.of()).view().members());
    assertEquals(ids(1, 3), next(withoutTheOld).view().members(), "nobody was chosen: the lowest number");
  }

  @Test
  void joinerIsAdmittedWhenItHoldsAllOfThePrimary() {
    View last = view(9, 1, 2);
    Promise joined = new Promise(EPOCH, last, true, 5, false, 7);
    NewView next = next(with(ballot(3), 1, holds(last, 5), 2, holds(last, 5), 3, joined));
    assertEquals(ids(1, 2, 3), next.view().members());
    assertEquals(List.of(1L, 1L, 7L), next.incarnations(), "the lives in the order of the members");
    assertEquals(ids(1, 2), next.voters(), "it comes in without having voted");
    Promise lacks = new Promise(EPOCH, last, true, 4, false, 7);
    assertEquals(ids(1, 2), next(with(ballot(3), 1, holds(last, 5), 2, holds(last, 5), 3, lacks)).view().members());
    Promise ofAnother = new Promise(EPOCH, view(8, 1, 2), true, 5, false, 7);
    assertEquals(ids(1, 2), next(with(ballot(3), 1, holds(last, 5), 2, holds(last, 5), 3, ofAnother)).view().members());
  }

  /** A promise of a replica that holds a base written in a wire version. */
  private static Promise reads(int oldest, int newest, View base, int wire) {
    return new Promise(EPOCH, base, true, 5, true, 1, new WireVersions(oldest, newest), wire);
  }

  @Test
  void viewUsesTheLowestWireVersionOfItsMembers() {
    Promise old = reads(1, 1, LAST, 1);
    Promise newer = reads(1, 2, LAST, 1);
    Promise newest = reads(1, 3, LAST, 1);
    assertEquals(1, next(with(ballot(3), 1, newest, 2, newer, 3, old)).wire());
    assertEquals(2, next(with(ballot(3), 1, newest, 2, newer)).wire(), "when the old one has left");
    assertEquals(3, next(with(ballot(3), 1, newest, 2, reads(1, 3, LAST, 1))).wire());
  }

  @Test
  void smallViewKeepsTheWireVersionOfItsBase() {
    Promise blank = new Promise(EPOCH, View.NONE, false, 0, true, 1, new WireVersions(1, 3), 0);
    NewView alone = next(with(ballot(3), 2, reads(1, 3, LAST, 2), 3, blank));
    assertEquals(ids(2), alone.view().members());
    assertEquals(2, alone.wire(), "replica 1 may come back, which holds all and reads no more");
  }

  @Test
  void joinerWithOtherWireVersionsIsNotAdmitted() {
    View last = view(9, 1, 2);
    for (Promise joiner : List.of(reads(1, 1, last, 0), reads(3, 4, last, 0))) {
      NewView next = next(with(ballot(3), 1, reads(1, 3, last, 2), 2, reads(2, 3, last, 2), 3, joiner));
      assertEquals(ids(1, 2), next.view().members(), joiner.toString());
      assertEquals(3, next.wire());
    }
    NewView all = next(with(ballot(3), 1, reads(1, 3, last, 2), 2, reads(2, 3, last, 2), 3, reads(1, 2, last, 0)));
    assertEquals(ids(1, 2, 3), all.view().members());
    assertEquals(2, all.wire());
  }

  @Test
  void stuckMemberIsExcludedOnlyIfTheOthersAreAMajority() {
    Ballot three = with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 6), 3, holds(LAST, 5));
    NewView without = three.view(null, set(2), Set.of());
    assertEquals(ids(1, 3), without.view().members());
    assertEquals(5, without.start(), "what only the stuck one had was not stable");
    Ballot two = with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 6));
    assertEquals(ids(2, 1), two.view(null, set(2), Set.of()).view().members());
    assertEquals(ids(2, 1, 3), three.view(null, set(1, 2, 3), Set.of()).view().members(), "all stuck is nobody stuck");
  }

  @Test
  void quarantinedJoinerIsPreferredToAStuckMember() {
    View last = view(9, 1, 2);
    Promise joined = new Promise(EPOCH, last, true, 5, false, 7);
    Ballot ballot = with(ballot(3), 1, holds(last, 5), 2, holds(last, 5), 3, joined);
    assertEquals(ids(1, 2), ballot.view(null, Set.of(), set(3)).view().members());
    assertEquals(ids(1, 3), ballot.view(null, set(2), set(3)).view().members(), "without both there is no majority");
  }

  @Test
  void laterPromiseOfAReplicaReplacesTheEarlier() {
    Ballot ballot = with(ballot(3), 1, holds(LAST, 5), 2, holds(LAST, 5), 2, restarted(LAST));
    assertFalse(next(ballot).view().contains(new ReplicaId(2)), "it has crashed since its first promise");
    assertFalse(ballot.everybodyPromised());
    assertTrue(ballot.has(new ReplicaId(2)));
    assertFalse(ballot.has(new ReplicaId(3)));
  }

  /** The invariants of every view, for all promises. */
  @Test
  void noViewLosesUpdatesOfItsBase() {
    int formed = 0;
    for (long seed = 1; seed <= 20_000; seed++) {
      Random random = new Random(seed);
      int replicas = 1 + random.nextInt(5);
      View[] views = {View.NONE, random(random, 3, replicas), random(random, 4, replicas)};
      Ballot ballot = ballot(replicas);
      Map<ReplicaId, Promise> promises = new TreeMap<>();
      for (int number = 1; number <= replicas; number++) {
        if (random.nextInt(5) > 0) {
          boolean voter = random.nextInt(4) > 0;
          View base = views[random.nextInt(3)];
          Promise promise = new Promise(EPOCH, base, random.nextInt(4) > 0, random.nextInt(4), voter, number);
          promises.put(new ReplicaId(number), promise);
          ballot.add(new ReplicaId(number), promise);
        }
      }
      Set<ReplicaId> stuck = new TreeSet<>();
      Set<ReplicaId> quarantined = new TreeSet<>();
      for (ReplicaId replica : promises.keySet()) {
        if (random.nextInt(4) == 0) {
          (random.nextBoolean() ? stuck : quarantined).add(replica);
        }
      }
      NewView next = ballot.view(views[2].senior(), stuck, quarantined);
      if (next != null) {
        formed++;
        check(next, promises, replicas, "seed " + seed + ": " + promises + " gave " + next);
      }
    }
    assertTrue(formed > 2_000, formed + " views");
  }

  private static View random(Random random, long epoch, int replicas) {
    List<ReplicaId> members = new ArrayList<>();
    for (int number = 1; number <= replicas; number++) {
      if (random.nextInt(3) > 0) {
        members.add(new ReplicaId(number));
      }
    }
    Collections.shuffle(members, random);
    return members.isEmpty() ? view(epoch, 1) : new View(epoch, members);
  }

  private static void check(NewView next, Map<ReplicaId, Promise> promises, int replicas, String what) {
    List<Promise> voters = next.voters().stream().map(promises::get).toList();
    assertTrue(2 * voters.size() > replicas && voters.stream().allMatch(Promise::voter), what);
    long last = voters.stream().mapToLong(voter -> voter.base().epoch()).max().orElseThrow();
    View base = voters.stream().map(Promise::base).filter(view -> view.epoch() == last).findFirst().orElseThrow();
    assertEquals(EPOCH, next.view().epoch(), what);
    Promise primary = promises.get(next.view().primary());
    assertEquals(primary.received(), next.start(), what);
    assertTrue(base.epoch() == 0 || base.contains(next.view().primary()), "the primary was in the last view; " + what);
    for (ReplicaId member : next.view().members()) {
      Promise promise = promises.get(member);
      assertTrue(promise.complete(), what);
      boolean wasMember = base.epoch() == 0 || (base.contains(member) && promise.voter());
      boolean holdsAsMuch = promise.base().epoch() == last && promise.received() == next.start();
      assertTrue(wasMember || holdsAsMuch, member + " was no member and lacks something; " + what);
      assertTrue(!wasMember || promise.received() <= next.start(), member + " holds more; " + what);
    }
    assertEquals(2 * next.view().members().size() > replicas ? next.view() : base, next.base(), what);
    List<Long> lives = next.view().members().stream().map(member -> promises.get(member).incarnation()).toList();
    assertEquals(lives, next.incarnations(), what);
  }
}
