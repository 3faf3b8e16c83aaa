package org.understudy.replication.core.relay;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.relay.RelayMessage.LinkReport;
import org.understudy.replication.core.wire.ArrayReader;
import org.understudy.replication.core.wire.ArrayWriter;
import org.understudy.replication.core.wire.WireVersions;

/** Replicas report their links to each other; a test cuts some. */
class DetoursTest {
  private static final long SUSPECT = 800;
  private static final long INTERVAL = SUSPECT / 8;

  private final Map<Integer, Detours> replicas = new TreeMap<>();
  private final Set<List<Integer>> cut = new HashSet<>();
  /** What each decided last. */
  private final Map<Integer, Map<ReplicaId, ReplicaId>> last = new TreeMap<>();
  private long now;

  private void start(int size) {
    for (int number = 1; number <= size; number++) {
      int self = number;
      List<ReplicaId> peers = IntStream.rangeClosed(1, size).filter(other -> other != self).mapToObj(ReplicaId::new).toList();
      replicas.put(number, new Detours(new ReplicaId(number), peers, SUSPECT));
    }
    run(3);
  }

  private void cut(int one, int other) {
    cut.add(List.of(one, other));
    cut.add(List.of(other, one));
  }

  private void run(int intervals) {
    for (int i = 0; i < intervals; i++) {
      now += INTERVAL;
      replicas.forEach((from, detours) -> {
        LinkReport report = detours.report(now);
        replicas.forEach((to, receiver) -> {
          if (to.intValue() != from && !cut.contains(List.of(from, to))) {
            receiver.reported(new ReplicaId(from), report, now);
          }
        });
      });
      replicas.forEach((replica, detours) -> last.put(replica, detours.at(now)));
    }
  }

  private Map<ReplicaId, ReplicaId> detours(int replica) {
    return last.getOrDefault(replica, Map.of());
  }

  private static Map<ReplicaId, ReplicaId> through(int to, int through) {
    return Map.of(new ReplicaId(to), new ReplicaId(through));
  }

  @Test
  void nothingTakesADetourWhileLinksWork() {
    start(3);
    replicas.keySet().forEach(replica -> assertEquals(Map.of(), detours(replica)));
  }

  @Test
  void cutLinkIsBypassedBeforeTheReplicaIsSuspected() {
    start(3);
    cut(1, 3);
    run(3);
    assertEquals(Map.of(), detours(1));
    run(2);
    assertEquals(through(3, 2), detours(1));
    assertEquals(through(1, 2), detours(3));
    assertEquals(Map.of(), detours(2));
  }

  @Test
  void detourEndsWithTheCut() {
    start(3);
    cut(1, 3);
    run(10);
    cut.clear();
    run(2);
    assertEquals(Map.of(), detours(1));
    assertEquals(Map.of(), detours(3));
  }

  /** What arrives in one direction only shows each end that the link does not work. */
  @Test
  void linkOfOneDirectionIsBypassedInBoth() {
    start(3);
    cut.add(List.of(3, 1));
    run(8);
    assertEquals(through(3, 2), detours(1));
    assertEquals(through(1, 2), detours(3));
  }

  @Test
  void replicaThatNobodyHearsIsReachedDirectly() {
    start(3);
    cut(1, 3);
    cut(2, 3);
    run(20);
    replicas.keySet().forEach(replica -> assertEquals(Map.of(), detours(replica)));
  }

  @Test
  void detourPassesOneReplicaThatReachesBothEnds() {
    start(5);
    cut(1, 5);
    cut(1, 2);
    cut(3, 5);
    run(8);
    assertEquals(Map.of(new ReplicaId(2), new ReplicaId(3), new ReplicaId(5), new ReplicaId(4)), detours(1));
  }

  @Test
  void replicaInTheMiddleIsReplacedByAnother() {
    start(4);
    cut(1, 4);
    run(8);
    assertEquals(through(4, 2), detours(1));
    cut(2, 4);
    run(8);
    assertEquals(through(4, 3), detours(1));
  }

  @Test
  void replicaThatWasPausedTakesNoDetourThroughOldReports() {
    start(3);
    cut(1, 3);
    run(8);
    now += 10 * SUSPECT;
    assertEquals(Map.of(), replicas.get(1).at(now));
  }

  /** On links with jitter reports are late now and then, and nothing better than the detour is known meanwhile. */
  @Test
  void lateReportsOfTheReplicaInTheMiddleDoNotEndADetour() {
    start(3);
    cut(1, 3);
    run(8);
    cut(1, 2);
    run(10);
    assertEquals(through(3, 2), detours(1));
    assertTrue(replicas.get(1).isBypassed(new ReplicaId(3), now, 10 * INTERVAL));
    run(30);
    assertEquals(Map.of(), detours(1), "the other replicas are gone");
    assertFalse(replicas.get(1).isBypassed(new ReplicaId(3), now, 0));
  }

  /** A process that is gone refuses both others, and each says so before the first is refused again. */
  @Test
  void refusedConnectionIsNoHintWhileAnotherReplicaHears() {
    start(3);
    cut(1, 3);
    assertFalse(replicas.get(1).refused(new ReplicaId(3), now), "a firewall may have answered");
    run(1);
    assertEquals(through(3, 2), detours(1), "at once");
    assertFalse(replicas.get(1).refused(new ReplicaId(3), now));
    cut(2, 3);
    assertTrue(replicas.get(2).refused(new ReplicaId(3), now), "the other one has lost its link");
    run(1);
    assertTrue(replicas.get(1).refused(new ReplicaId(3), now));
  }

  /** The first reports do not all come at once. */
  @Test
  void replicaThatHasJustStartedIsReachedDirectly() {
    start(3);
    replicas.remove(3);
    run(20);
    cut(1, 3);
    replicas.put(3, new Detours(new ReplicaId(3), List.of(new ReplicaId(1), new ReplicaId(2)), SUSPECT));
    for (int i = 0; i < 8; i++) {
      run(1);
      assertEquals(Map.of(), detours(1));
      assertEquals(Map.of(), detours(3));
      if (i == 1) {
        cut.clear();
      }
    }
  }

  @Test
  void reportIsReadAsItWasWritten() {
    LinkReport report = new LinkReport(List.of(new ReplicaId(2), new ReplicaId(3)), List.of(new ReplicaId(3)));
    ArrayWriter out = new ArrayWriter(0);
    report.write(out);
    byte[] bytes = out.toBytes();
    assertEquals(report, LinkReport.KIND.reader().read(0, new ArrayReader(bytes, 0, bytes.length, WireVersions.CURRENT)));
  }
}
