package org.understudy.client.invocation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;
import org.understudy.replication.api.RequestClass;

/** To the primary while it answers; else round all replicas, so that each is asked. */
class ReplicaSelectorTest {
  private static final URI ONE = URI.create("http://one/");
  private static final URI TWO = URI.create("http://two/");
  private static final URI THREE = URI.create("http://three/");
  private static final long CUT_OFF = Reachability.CUT_OFF_NANOS;

  private final KnownViews views = new KnownViews(List.of(ONE, TWO, THREE));
  private final Reachability reach = new Reachability();
  private final ReplicaSelector route = new ReplicaSelector(views, reach);

  private void learn(long epoch, URI... members) {
    List<ReplicaAddress> replicas = new ArrayList<>();
    for (URI member : members) {
      replicas.add(ReplicaAddress.ofRole(replicas.size() + 1, replicas.isEmpty() ? "primary" : "backup", member));
    }
    views.learn(new GroupView(epoch, replicas));
  }

  private List<URI> next(int count) {
    List<URI> asked = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      asked.add(route.next(0));
    }
    return asked;
  }

  @Test
  void configuredReplicasAreTriedInTurnBeforeTheFirstView() {
    assertEquals(List.of(ONE, TWO, THREE, ONE, TWO), next(5));
  }

  @Test
  void primaryIsRetriedUntilItIsAvoided() {
    learn(1, TWO, THREE);
    assertEquals(List.of(TWO, TWO), next(2));
    route.avoid(TWO);
    assertEquals(Set.of(ONE, TWO, THREE), new HashSet<>(next(3)), "it is one of all then, for no other may know better");
    route.avoid(TWO);
    learn(2, TWO, THREE);
    assertEquals(List.of(TWO, TWO), next(2), "a newer view gives it another chance");
  }

  @Test
  void removedReplicaRestartsTheListAtItsBeginning() {
    URI gone = URI.create("http://gone/");
    learn(1, gone, TWO);
    assertEquals(gone, route.next(0));
    route.avoid(gone);
    learn(2, THREE, TWO);
    route.next(0);
    route.avoid(THREE);
    assertEquals(Set.of(ONE, TWO, THREE), new HashSet<>(next(3)));
  }

  @Test
  void singleReplicaIsAlwaysTried() {
    KnownViews alone = new KnownViews(List.of(ONE));
    ReplicaSelector only = new ReplicaSelector(alone, reach);
    alone.learn(new GroupView(1, List.of(ReplicaAddress.ofRole(1, "primary", ONE))));
    only.avoid(ONE);
    reach.failed(ONE, 0);
    reach.failed(ONE, CUT_OFF);
    assertEquals(ONE, only.next(CUT_OFF + 1));
  }

  @Test
  void unreachablePrimaryIsReachedByForwarding() {
    learn(1, ONE, TWO, THREE);
    reach.failed(ONE, 0);
    assertEquals(ONE, route.next(CUT_OFF - 1), "not for so long yet");
    assertFalse(route.isDetour(CUT_OFF - 1));
    reach.failed(ONE, CUT_OFF - 1);
    for (long now = CUT_OFF; now < CUT_OFF + 4; now++) {
      URI asked = route.next(now);
      assertTrue(asked.equals(TWO) || asked.equals(THREE), "the unreachable one is skipped: " + asked);
      assertTrue(route.isDetour(now));
    }
    long later = CUT_OFF - 1 + Reachability.PROBE_NANOS;
    assertEquals(ONE, route.next(later), "from time to time it is tried");
    assertFalse(route.isDetour(later), "it need not forward to itself");
    assertEquals(TWO, new ReplicaSelector(views, reach).next(later), "by one caller alone");
    reach.reached(ONE);
    assertEquals(ONE, route.next(later));
    assertFalse(route.isDetour(later));
  }

  private void learnThatAllServe(long epoch, URI... members) {
    views.learn(allServe(epoch, members));
  }

  private static GroupView allServe(long epoch, URI... members) {
    List<ReplicaAddress> replicas = new ArrayList<>();
    for (URI member : members) {
      replicas.add(new ReplicaAddress(replicas.size() + 1, true, EnumSet.allOf(RequestClass.class), member));
    }
    return new GroupView(epoch, replicas);
  }

  @Test
  void firstServingReplicaThatIsNotAvoidedIsTried() {
    learnThatAllServe(1, TWO, ONE, THREE);
    assertEquals(List.of(TWO, TWO), next(2));
    route.avoid(TWO);
    assertEquals(List.of(ONE, ONE), next(2));
  }

  @Test
  void preferredReplicaIsTriedWhileItServes() {
    for (long seed = 0; seed < 20; seed++) {
      KnownViews own = new KnownViews(List.of(ONE, TWO, THREE), seed, THREE);
      ReplicaSelector selector = new ReplicaSelector(own, reach);
      own.learn(allServe(1, ONE, TWO, THREE));
      assertEquals(THREE, selector.next(0));
      own.learn(allServe(2, ONE, TWO));
      assertTrue(List.of(ONE, TWO).contains(selector.next(0)));
      own.learn(allServe(3, TWO, ONE, THREE));
      assertEquals(THREE, own.claimTrial());
      own.served(THREE);
      assertEquals(THREE, selector.next(0));
    }
  }

  @Test
  void clientsSpreadOverTheReplicasThatServe() {
    Map<URI, Integer> clients = new HashMap<>();
    for (long seed = 0; seed < 300; seed++) {
      KnownViews own = new KnownViews(List.of(ONE, TWO, THREE), seed, null);
      own.learn(allServe(1, ONE, TWO, THREE));
      URI home = new ReplicaSelector(own, reach).next(0);
      clients.merge(home, 1, Integer::sum);
      URI gone = home.equals(ONE) ? TWO : ONE;
      own.learn(new GroupView(2, own.current().replicas().stream().filter(one -> !one.address().equals(gone)).toList()));
      assertEquals(home, new ReplicaSelector(own, reach).next(0), "another one that leaves moves no client");
    }
    assertEquals(3, clients.size());
    clients.forEach((replica, count) -> assertTrue(count > 60, replica + " has " + count));
  }

  @Test
  void clientsMoveOneByOneToAServerThatJoins() {
    AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);
    List<KnownViews> clients = new ArrayList<>();
    for (long seed = 0; seed < 300; seed++) {
      KnownViews own = new KnownViews(List.of(ONE, TWO, THREE), seed, null, clock::get);
      own.learn(allServe(1, ONE, TWO));
      ReplicaSelector selector = new ReplicaSelector(own, reach);
      URI home = selector.next(0);
      own.learn(allServe(2, ONE, TWO, THREE));
      assertEquals(home, selector.next(0), "no client moves at once");
      assertEquals(THREE, own.servers().get(2), "another failover finds a warm server");
      clients.add(own);
    }
    long[] moved = new long[31];
    for (int second = 0; second <= 30; second++) {
      clients.stream().filter(client -> client.claimTrial() != null).forEach(client -> client.served(THREE));
      moved[second] = clients.stream().filter(client -> client.servers().get(0).equals(THREE)).count();
      clock.addAndGet(TimeUnit.SECONDS.toNanos(1));
    }
    assertEquals(0, moved[1]);
    for (int second = 2; second <= 30; second++) {
      assertTrue(moved[second] - moved[second - 1] < 15, () -> "clients that moved by each second: " + Arrays.toString(moved));
    }
    assertTrue(moved[15] > 20 && moved[30] > 60 && moved[30] < 140, () -> Arrays.toString(moved));
  }

  @Test
  void aServerThatJoinedIsTriedWhenNoOtherOneServes() {
    KnownViews own = new KnownViews(List.of(ONE, TWO, THREE), 1L, null);
    ReplicaSelector selector = new ReplicaSelector(own, reach);
    own.learn(allServe(1, ONE, TWO));
    own.learn(allServe(2, ONE, TWO, THREE));
    selector.next(0);
    selector.avoid(ONE);
    selector.avoid(TWO);
    assertEquals(THREE, selector.next(0));
    GroupView rest = new GroupView(3, own.current().replicas().subList(2, 3));
    own.learn(rest);
    assertEquals(THREE, selector.next(0));
  }

  @Test
  void aFailoverIsTheEndOfThePreferredServer() {
    learnThatAllServe(1, ONE, TWO, THREE);
    views.prefer(TWO);
    learnThatAllServe(2, TWO, THREE);
    assertEquals(0, views.failovers(), "the client had moved before");
    learnThatAllServe(3, ONE, THREE);
    assertEquals(1, views.failovers());
    learn(4, THREE, ONE);
    assertEquals(2, views.failovers());
    learn(5, THREE);
    assertEquals(2, views.failovers());
  }

  @Test
  void noForwardingWhereEveryReplicaServes() {
    learnThatAllServe(1, ONE, TWO, THREE);
    reach.failed(ONE, 0);
    reach.failed(ONE, CUT_OFF);
    assertEquals(TWO, route.next(CUT_OFF + 1));
    assertFalse(route.isDetour(CUT_OFF + 1));
  }

  @Test
  void viewThatKeepsTheServerAbortsNoAttempt() {
    learnThatAllServe(1, ONE, TWO);
    Step.Send attempt = new Step.Send(TWO, 1, false, 1);
    assertFalse(attempt.isSupersededBy(views.current()));
    learnThatAllServe(2, THREE, ONE);
    assertTrue(attempt.isSupersededBy(views.current()));
    assertFalse(attempt.isSupersededBy(GroupView.NONE));
  }

  @Test
  void noForwardingWithoutAPrimary() {
    reach.failed(ONE, 0);
    route.next(2 * CUT_OFF);
    assertFalse(route.isDetour(2 * CUT_OFF));
  }
}
