package org.understudy.wsat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.understudy.container.transaction.PreparedBranchStop;
import org.understudy.container.transaction.TransactionContext;
import org.understudy.container.transaction.Vote;
import org.understudy.test.Condition;
import org.understudy.test.network.FreePorts;
import org.understudy.wsat.participant.AtomicTransactionCoordination;
import org.w3c.dom.Element;

/**
 * A group of three replicas, each a process, with a database, in transactions of a coordinator in this process, which has a participant of
 * its own.
 */
class GroupTransactionHttpTest {
  private static final int REPLICAS = 3;
  private static final Ledger OTHER = new Ledger();

  @TempDir
  static Path directory;

  private static PurseGroup group;
  private static WsatServer coordinator;
  private static WsatClient client;

  @BeforeAll
  static void start() throws Exception {
    group = new PurseGroup(directory, REPLICAS);
    int port = FreePorts.next();
    coordinator = WsatServer.start(directory.resolve("coordinator"), port, "coordinator", Map.of("understudy.wsat.timeout.s", "5"));
    client = new WsatClient("http://127.0.0.1:" + port + "/app");
    group.awaitAll();
  }

  @AfterAll
  static void stop() throws Exception {
    group.close();
    coordinator.close();
  }

  /** Waits until a replica that goes on is a backup: a transaction registers it at the coordinator. */
  private static void awaitMember(int replica, int primary) {
    Condition.await("replica " + replica + " is a member", () -> {
      int before = coordinator.registrations();
      try {
        WsatClient.Transaction probe = client.begin();
        before++;
        boolean answered = group.put(primary, probe.context, 0).contains("<return>");
        probe.rollback();
        return answered && coordinator.registrations() == before + REPLICAS;
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    });
  }

  private static String join(Element context) throws Exception {
    TransactionContext known = new AtomicTransactionCoordination().contextOf(context);
    Volunteer.register(known, OTHER);
    return known.id();
  }

  @Test
  void aGroupCommitsAndAbortsWithOthers() throws Exception {
    int primary = group.primary();
    int before = Integer.parseInt(group.count(primary));
    WsatClient.Transaction committed = client.begin();
    putFirst(primary, committed, 1, REPLICAS);
    String id = join(committed.context);
    assertTrue(group.put(primary, committed.context, 2).contains("<return>" + (before + 3) + "</return>"));
    assertTrue(committed.commit().body().contains(">true</Result>"));
    assertTrue(OTHER.asked(id).contains("commit"));
    assertEquals(Integer.toString(before + 3), group.count(primary));

    WsatClient.Transaction read = client.begin();
    assertTrue(group.call(primary, read.context, PurseGroup.COUNT).contains("<return>" + (before + 3) + "</return>"));
    String other = join(read.context);
    assertTrue(read.commit().body().contains(">true</Result>"));
    assertEquals(List.of("prepare", "commit"), OTHER.asked(other));

    int saved = group.saved();
    WsatClient.Transaction kept = client.begin();
    saveFirst(primary, kept, 4, REPLICAS);
    assertEquals(saved, group.saved(), "nothing is committed before the end");
    assertTrue(kept.commit().body().contains(">true</Result>"));
    assertEquals(Integer.toString(before + 7), group.count(primary));
    assertEquals(saved + 4, group.saved());

    WsatClient.Transaction vetoed = client.begin();
    saveFirst(primary, vetoed, 10, REPLICAS);
    OTHER.votes(join(vetoed.context), Vote.ABORTED);
    assertTrue(vetoed.commit().body().contains(">false</Result>"));
    assertEquals(Integer.toString(before + 7), group.count(primary));
    assertEquals(saved + 4, group.saved());
    group.awaitNoBranch();
  }

  private static void putInside(int primary, WsatClient.Transaction transaction, int coins) throws Exception {
    String answer = group.put(primary, transaction.context, coins);
    assertTrue(answer.contains("<return>"), answer);
  }

  /** Makes the first call of a transaction: when it is answered, the view's members are registered at the coordinator. */
  private static void putFirst(int primary, WsatClient.Transaction transaction, int coins, int alive) throws Exception {
    int before = coordinator.registrations();
    putInside(primary, transaction, coins);
    assertEquals(before + alive, coordinator.registrations());
  }

  private static void saveFirst(int primary, WsatClient.Transaction transaction, int coins, int alive) throws Exception {
    int before = coordinator.registrations();
    String answer = group.save(primary, transaction.context, coins);
    assertTrue(answer.contains("<return>"), answer);
    assertEquals(before + alive, coordinator.registrations());
  }

  /** Its part is prepared in the database, and nobody has voted for that. */
  @Test
  void aPrimaryThatDiesBeforeItsVoteAbortsTheTransaction() throws Exception {
    int primary = group.primary();
    int dead = abortedBecauseOf(primary, "KILL");
    group.launch(dead);
    group.awaitAll();
    Condition.await("the coordinator forgets the aborted transaction", () -> !coordinator.hasUnfinished());
  }

  /** As before, and the old primary goes on later. Its coordinator waits for its answers. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.pauses", matches = "true")
  void aPrimaryThatPausesBeforeItsVoteAbortsTheTransaction() throws Exception {
    int primary = group.primary();
    int paused = abortedBecauseOf(primary, "STOP");
    goOn(paused);
  }

  /** A replica goes on that has been replaced: it changes nothing, and becomes a backup. */
  private static void goOn(int paused) throws Exception {
    int next = group.primary();
    int before = group.saved();
    group.process(paused).resume();
    awaitMember(paused, next);
    group.awaitNoBranch();
    assertEquals(before, group.saved());
    String after = group.save(next, null, 1);
    assertTrue(after.contains("<return>"), after);
    assertEquals(before + 1, group.saved());
  }

  private static int abortedBecauseOf(int primary, String signal) throws Exception {
    int before = Integer.parseInt(group.count(primary));
    int saved = group.saved();
    WsatClient.Transaction lost = client.begin();
    // Asked first, because it registers first.
    String id = join(lost.context);
    saveFirst(primary, lost, 5, REPLICAS);
    PreparedBranchStop.order(group.own(primary), signal);
    assertTrue(lost.commit().body().contains(">false</Result>"));
    assertFalse(PreparedBranchStop.isOrdered(group.own(primary)), "the branch was prepared");
    Condition.await("the other participant aborts", () -> OTHER.asked(id).contains("abort"));
    int next = group.primary();
    assertEquals(Integer.toString(before), group.count(next));
    group.awaitNoBranch();
    assertEquals(saved, group.saved());

    WsatClient.Transaction again = client.begin();
    saveFirst(next, again, 5, REPLICAS - 1);
    assertTrue(again.commit().body().contains(">true</Result>"));
    assertEquals(Integer.toString(before + 5), group.count(next));
    assertEquals(saved + 5, group.saved());
    return primary;
  }

  @Test
  void theNextPrimaryFinishesWhatTheCoordinatorDecidedAfterTheVote() throws Exception {
    int dead = committedWithout(replica -> group.process(replica).close());
    group.launch(dead);
    group.awaitAll();
    Condition.await("the coordinator forgets the transaction that all have acknowledged", () -> !coordinator.hasUnfinished());
    group.awaitNoBranch();
  }

  /** As before, and the old primary goes on later. Its coordinator waits for its answers. */
  @Test
  @EnabledIfSystemProperty(named = "understudy.wsat.pauses", matches = "true")
  void theNextPrimaryFinishesWhatAPausedOneHasVotedFor() throws Exception {
    int paused = committedWithout(GroupTransactionHttpTest::pause);
    goOn(paused);
    Condition.await("the coordinator forgets the transaction that all have acknowledged", () -> !coordinator.hasUnfinished());
  }

  private static int committedWithout(IntConsumer stop) throws Exception {
    int primary = group.primary();
    int before = Integer.parseInt(group.count(primary));
    int saved = group.saved();
    WsatClient.Transaction transaction = client.begin();
    saveFirst(primary, transaction, 7, REPLICAS);
    // Asked last: all replicas have voted.
    String id = join(transaction.context);
    OTHER.beforePrepare(() -> stop.accept(primary));
    assertTrue(transaction.commit().body().contains(">true</Result>"));
    OTHER.beforePrepare(() -> {});
    assertTrue(OTHER.asked(id).contains("commit"));
    int next = group.primary();
    Condition.await("the transaction has taken effect", () -> counted(next).equals(Integer.toString(before + 7)));
    assertEquals(saved + 7, group.saved());
    String after = group.save(next, null, 1);
    assertTrue(after.contains("<return>" + (before + 8) + "</return>"), after);
    assertEquals(saved + 8, group.saved());
    assertTrue(coordinator.hasUnfinished());
    return primary;
  }

  private static void pause(int replica) {
    try {
      group.process(replica).pause();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void theNextPrimaryFinishesWhatACoordinatorInItsGroupDecided() throws Exception {
    int primary = group.primary();
    int before = Integer.parseInt(group.count(primary));
    int backup = primary % REPLICAS + 1;
    WsatClient.Transaction transaction = new WsatClient(group.url(backup)).begin();
    int saved = group.saved();
    assertTrue(group.save(primary, transaction.context, 3).contains("<return>"));
    join(transaction.context);
    OTHER.beforePrepare(() -> group.process(primary).close());
    assertTrue(transaction.commit().body().contains(">true</Result>"));
    OTHER.beforePrepare(() -> {});
    Condition.await("the transaction has taken effect", () -> counted(group.primary()).equals(Integer.toString(before + 3)));
    assertEquals(saved + 3, group.saved());
    group.awaitNoBranch();
    group.launch(primary);
    group.awaitAll();
  }

  private static String counted(int replica) {
    try {
      return group.count(replica);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
