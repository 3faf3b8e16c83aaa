package org.understudy.replication.core.certification;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.Eviction;
import org.understudy.replication.core.update.Origin;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.core.update.StateUpdate;

/** Versions and turns, by which each replica decides alike whether an update takes effect. */
class CertificationTest {
  private final Certification certification = new Certification();

  private static StateUpdate update(long index, Origin origin, StateChange... changes) {
    return new StateUpdate(
            index, Request.Kind.UPDATE, null, 0, 0, "", 0, Response.EMPTY, List.of(changes), Eviction.NONE)
        .from(origin);
  }

  private static Origin run(int replica, long number, long turn, long base, String... read) {
    return new Origin(1, new ReplicaId(replica), number, Origin.Kind.RUN, turn, base, List.of(read));
  }

  private static StateChange change(String key) {
    return new StateChange(key, new byte[1]);
  }

  private static StateChange destroyed(String key) {
    return new StateChange(key, null);
  }

  @Test
  void whatARunReadWroteOrDestroyedMustNotHaveChanged() {
    certification.record(update(5, run(1, 1, 0, 4, "a"), change("a"), destroyed("b/c")));
    assertFalse(certification.isFresh(update(0, run(2, 1, 0, 4, "a"))), "read");
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 5, "a"))), "read after the change");
    assertFalse(certification.isFresh(update(0, run(2, 1, 0, 4), change("b/c"))), "created again");
    assertFalse(certification.isFresh(update(0, run(2, 1, 0, 4, "b/"))), "scanned");
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 4, "x"), change("y"))));
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 4), StateChange.entry("a", new byte[1]))), "a new entry");
  }

  @Test
  void whatTheTableHasForgottenCountsAsChanged() {
    certification.record(update(1, run(1, 1, 0, 0), change("first")));
    for (int i = 0; i < VersionTable.MAX_KEYS; i++) {
      certification.record(update(2 + i, run(1, 2, 0, 0), change("key" + i)));
    }
    assertFalse(certification.isFresh(update(0, run(2, 1, 0, 0, "first"))));
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 1, "first"))));
  }

  @Test
  void longKeysAreForgottenEarlier() {
    String suffix = "x".repeat(100_000);
    for (int i = 0; i < 100; i++) {
      certification.record(update(1 + i, run(1, 1, 0, 0), change(i + suffix)));
    }
    assertFalse(certification.isFresh(update(0, run(2, 1, 0, 50, "0" + suffix))), "forgotten");
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 70, "0" + suffix))), "39 keys are kept");
    assertTrue(certification.isFresh(update(0, run(2, 1, 0, 99, "98" + suffix))));
  }

  @Test
  void aReadSawOneStateUnlessSeveralKeysMayBeOfDifferentUpdates() {
    certification.record(update(5, run(1, 1, 0, 4), change("a"), change("b")));
    assertTrue(certification.isOneState(Map.of("a", 5L, "b", 5L), 5), "nothing has changed");
    certification.record(update(6, run(1, 2, 0, 5), change("a")));
    assertTrue(certification.isOneState(Map.of("a", 5L, "b", 5L), 5), "a may be of 5 or 6, and b shows both");
    assertTrue(certification.isOneState(Map.of("a", 5L), 5), "one key is always of one state");
    certification.record(update(7, run(1, 3, 0, 6), change("b")));
    assertFalse(certification.isOneState(Map.of("a", 5L, "b", 7L), 5), "a before 6, with b of 7");
    assertFalse(certification.isOneState(Map.of("a", 5L, "b", 5L), 5), "a and b may be of any update from 5 on");
    assertTrue(certification.isOneState(Map.of("a", 6L, "b", 7L), 5), "both were read after their last changes");
    assertTrue(certification.isOneState(Map.of("a", 6L, "b", 6L), 6), "a shows 6 and 7, so b may be of either");
  }

  @Test
  void turnsExcludeOtherRunsInTheirOrder() {
    certification.addTurn(run(1, 7, 0, 0));
    certification.addTurn(run(2, 3, 0, 0));
    assertTrue(certification.isDeferred(update(0, run(3, 1, 0, 0, "a"))));
    assertTrue(certification.isDeferred(update(0, run(1, 8, 0, 0, "a"))), "another run of the same replica");
    assertTrue(certification.isDeferred(update(0, run(2, 4, 3, 0, "a"))), "its turn is the next");
    assertFalse(certification.isDeferred(update(0, run(1, 9, 7, 0, "a"))));
    assertFalse(certification.isDeferred(update(0, run(3, 1, 0, 0))), "a session's end touches no resource");
    certification.endTurn(run(1, 9, 7, 0, "a"));
    assertEquals(new ReplicaId(2), certification.openTurns(1).get(0).replica());
    certification.arrive(new Origin(2, new ReplicaId(3), 1, Origin.Kind.RUN, 0, 0, List.of()));
    assertEquals(List.of(), certification.openTurns(1), "turns end with their epoch");
  }

  private static Origin turn(int replica, long number, String... keys) {
    return new Origin(1, new ReplicaId(replica), number, Origin.Kind.TURN, 0, 0, List.of(keys));
  }

  private List<Integer> open() {
    return certification.openTurns(1).stream().map(turn -> turn.replica().number()).toList();
  }

  @Test
  void turnOfKeysExcludesOnlyWhatChangesThem() {
    certification.addTurn(turn(1, 7, "b", "a/"));
    assertTrue(certification.isDeferred(update(0, run(2, 1, 0, 0), change("b"))));
    assertTrue(certification.isDeferred(update(0, run(2, 1, 0, 0), change("a/x"))), "its run scans a/");
    assertTrue(certification.isDeferred(update(0, run(1, 8, 0, 0), destroyed("a/x/y"))), "another run of the same replica");
    assertFalse(certification.isDeferred(update(0, run(2, 1, 0, 0, "b"), change("c"))), "it reads b");
    assertFalse(certification.isDeferred(update(0, run(2, 1, 0, 0, "a/"), change("a"))), "a/ are other keys than a");
    assertFalse(certification.isDeferred(update(0, run(1, 8, 7, 0, "b"), change("b"), change("a/x"))), "the run that has the turn");
  }

  @Test
  void turnWaitsForEarlierOnesOfItsKeys() {
    certification.addTurn(turn(1, 1, "a", "b/c"));
    certification.addTurn(turn(2, 1, "d"));
    certification.addTurn(turn(3, 1, "b/", "e"));
    certification.addTurn(turn(4, 1, "e"));
    assertEquals(List.of(1, 2), open());
    assertFalse(certification.isDeferred(update(0, run(5, 1, 0, 0), change("e"))), "a turn that waits excludes nothing");
    assertTrue(certification.isDeferred(update(0, run(3, 2, 1, 0), change("b/c"))), "its turn waits");
    certification.endTurn(run(1, 2, 1, 0));
    assertEquals(List.of(2, 3), open());
    certification.endTurn(run(3, 3, 1, 0));
    assertEquals(List.of(2, 4), open());
  }

  @Test
  void turnOfEverythingWaitsForAllEarlierOnes() {
    certification.addTurn(turn(1, 1, "a"));
    certification.addTurn(turn(2, 1));
    certification.addTurn(turn(3, 1, "b"));
    assertEquals(List.of(1), open());
    assertFalse(certification.isDeferred(update(0, run(5, 1, 0, 0), change("b"))));
    certification.endTurn(run(1, 2, 1, 0));
    assertEquals(List.of(2), open());
    assertTrue(certification.isDeferred(update(0, run(5, 1, 0, 0, "b"))));
    certification.endTurn(run(2, 2, 1, 0));
    assertEquals(List.of(3), open());
  }

  /** A slow method may take as long as the others need for thousands of updates. */
  @Test
  void whatATurnNamesIsFreshThoughTheTableHasForgottenIt() {
    certification.record(update(1, run(1, 1, 0, 0), change("first")));
    certification.addTurn(turn(1, 7, "first", "x"));
    for (int i = 0; i < VersionTable.MAX_KEYS + 10; i++) {
      certification.record(update(3 + i, run(2, 2, 0, 0), change("key" + i)));
    }
    assertTrue(certification.isFresh(update(0, run(1, 8, 7, 2, "first"), change("x"))));
    assertFalse(certification.isFresh(update(0, run(1, 8, 7, 2, "first", "y"))), "its turn does not name y");
    assertFalse(certification.isFresh(update(0, run(1, 9, 0, 2, "first"))), "another run");
  }

  /** Otherwise many requests could fill the memory of each replica with keys. */
  @Test
  void turnsWithTooManyKeysExcludeEverything() {
    String suffix = "x".repeat((int) Turns.MAX_CHARACTERS / 2);
    certification.addTurn(turn(1, 1, "a" + suffix));
    certification.addTurn(turn(2, 1, "b" + suffix));
    assertEquals(List.of(1), open());
    certification.endTurn(run(1, 2, 1, 0));
    assertTrue(certification.isDeferred(update(0, run(3, 1, 0, 0, "c"))));
  }

  @Test
  void joinerDecidesAlike() {
    for (int i = 0; i < VersionTable.MAX_KEYS + 100; i++) {
      certification.record(update(1 + i, run(1, 1, 0, 0), change("key" + i)));
    }
    certification.addTurn(turn(1, 7, "b", "a/"));
    certification.addTurn(turn(2, 3));
    Certification joiner = new Certification();
    certification.items().forEach(joiner::restore);
    assertEquals(certification.items(), joiner.items());
    assertTrue(joiner.isDeferred(update(0, run(3, 1, 0, 0), change("a/x"))));
    assertFalse(joiner.isFresh(update(0, run(2, 1, 0, 99, "key0"))), "the floor travels too");
    assertTrue(joiner.isFresh(update(0, run(2, 1, 0, 100, "key0"))));
  }
}
