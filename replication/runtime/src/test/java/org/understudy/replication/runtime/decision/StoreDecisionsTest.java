package org.understudy.replication.runtime.decision;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.decision.Branch;
import org.understudy.replication.api.decision.DecidedRow;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.DecisionStore;
import org.understudy.replication.api.decision.DecisionStoreException;
import org.understudy.replication.api.decision.ExecutedBeforeException;
import org.understudy.replication.api.decision.FencedException;
import org.understudy.replication.api.decision.OutcomeUnknownException;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.request.RequestKey;
import org.understudy.replication.core.request.Response;
import org.understudy.test.Condition;
import org.understudy.test.LogRecorder;

/** What a database answers, and does not answer, becomes inputs of the core. */
class StoreDecisionsTest {
  private static final DecisionId ID = new DecisionId(3, 7);
  private static final byte[] NOTHING = {};

  private static final RequestKey KEY = new RequestKey.OfMessageId(3, 4);
  private static final Response RESPONSE = new Response((byte) 2, new byte[] {5, 6});
  private static final DecidedRow ROW = new DecidedRow(ID, DecisionContent.key(KEY), DecisionContent.response(7, RESPONSE));
  /** As builds wrote it that stored no digest. */
  private static final DecidedRow OLD_ROW = new DecidedRow(new DecisionId(9, 9), DecisionContent.key(KEY), new byte[20]);

  private final BlockingQueue<Input> inputs = new LinkedBlockingQueue<>();
  private final TestStore store = new TestStore();
  private final AtomicInteger reloads = new AtomicInteger();
  private StoreDecisions decisions = open(true);

  private StoreDecisions open(boolean records) {
    StoreDecisions opened = new StoreDecisions(store, reloads::incrementAndGet, records);
    opened.start(inputs::add);
    return opened;
  }

  @AfterEach
  void close() {
    decisions.close();
  }

  /** Fails as often as told, then answers. */
  private static final class TestStore implements DecisionStore {
    final AtomicInteger failures = new AtomicInteger();
    final BlockingQueue<Long> fenced = new LinkedBlockingQueue<>();
    final BlockingQueue<DecisionId> forgotten = new LinkedBlockingQueue<>();
    final Semaphore go = new Semaphore(1_000);
    volatile boolean answers = true;
    final AtomicInteger looks = new AtomicInteger();

    private void answer() {
      go.acquireUninterruptibly();
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new DecisionStoreException("The database is down.", null);
      }
    }

    @Override
    public long fence(long epoch, DecisionId last) {
      answer();
      fenced.add(epoch);
      return epoch == 0 ? 12 : epoch;
    }

    @Override
    public Set<DecisionId> committed(Collection<DecisionId> prepared) {
      return Set.of(ID);
    }

    @Override
    public Decision resolve(DecisionId id) {
      answer();
      return Decision.COMMITTED;
    }

    @Override
    public void forget(DecisionId below, byte[] keptFrom) {
      forgotten.add(below);
    }

    @Override
    public boolean answers() {
      looks.incrementAndGet();
      return answers;
    }

    @Override
    public List<DecidedRow> rows(DecisionId after) {
      answer();
      return after == null ? List.of(ROW, OLD_ROW) : List.of();
    }
  }

  private static final class TestBranch implements Branch {
    private final Supplier<Decision> outcome;
    final AtomicInteger commits = new AtomicInteger();
    final AtomicInteger rollbacks = new AtomicInteger();

    TestBranch(Supplier<Decision> outcome) {
      this.outcome = outcome;
    }

    @Override
    public Decision commit(DecisionId id, byte[] key, byte[] response) {
      commits.incrementAndGet();
      return outcome.get();
    }

    @Override
    public void rollback() {
      rollbacks.incrementAndGet();
    }

    @Override
    public boolean isAborted() {
      return false;
    }
  }

  private Input.Decided decided(Supplier<Decision> outcome) throws InterruptedException {
    decisions.decide(5, ID, NOTHING, NOTHING, new TestBranch(outcome));
    return assertInstanceOf(Input.Decided.class, next());
  }

  private Input next() throws InterruptedException {
    return inputs.poll(60, TimeUnit.SECONDS);
  }

  @Test
  void rowsAreReadUntilTheDatabaseAnswers() throws Exception {
    decisions.fence(4, null, List.of(), false);
    assertInstanceOf(Input.Fenced.class, next());
    store.failures.set(1);
    decisions.recall(4, null);
    assertEquals(4, assertInstanceOf(Input.FenceFailed.class, next()).view());
    assertEquals("The database is down.", decisions.unfenced(4));
    Input.Recalled recalled = assertInstanceOf(Input.Recalled.class, next());
    Input.RecalledReply reply = recalled.replies().get(0);
    assertEquals(1, recalled.replies().size());
    assertEquals(new Input.RecalledReply(ID, KEY, 7, reply.response()), reply);
    assertEquals(2, reply.response().format());
    assertArrayEquals(RESPONSE.body(), reply.response().body());
    assertEquals(OLD_ROW.id(), recalled.last());
    decisions.recall(4, recalled.last());
    assertEquals(new Input.Recalled(4, List.of(), null), next());
    Condition.await("no reason not to serve", () -> decisions.unfenced(4) == null);
  }

  @Test
  void outcomesAreReported() throws Exception {
    assertEquals(new Input.Decided(5, ID, Decision.COMMITTED, true), decided(() -> Decision.COMMITTED));
    assertEquals(new Input.Decided(5, ID, Decision.ABORTED, true), decided(() -> Decision.ABORTED));
    Input.Decided fenced = decided(() -> {
      throw new FencedException("Epoch 4 stands in the row.");
    });
    assertEquals(new Input.Decided(5, ID, Decision.ABORTED, false), fenced, "another primary has it: no second execution");
  }

  @Test
  void requestThatWasExecutedBeforeIsNotExecutedAgain() throws Exception {
    Input.Decided before = decided(() -> {
      throw new ExecutedBeforeException("Its row is there.");
    });
    assertEquals(new Input.Decided(5, ID, Decision.ABORTED, false, true), before);
  }

  @Test
  void fenceIsRepeatedAfterAnError() throws Exception {
    decisions.close();
    decisions = new StoreDecisions(
        store,
        () -> {
          if (reloads.incrementAndGet() == 1) {
            throw new OutOfMemoryError("The table is large.");
          }
        },
        true);
    decisions.start(inputs::add);
    decisions.fence(3, null, List.of(), true);
    assertInstanceOf(Input.FenceFailed.class, next());
    assertEquals(new Input.Fenced(3, 3, Set.of()), next());
  }

  @Test
  void unknownOutcomeIsResolvedHoweverOftenTheDatabaseFails() throws Exception {
    store.failures.set(2);
    assertEquals(Decision.COMMITTED, decided(() -> {
      throw new OutcomeUnknownException("The connection is lost.", null);
    }).decision());
    assertEquals(Decision.COMMITTED, decided(() -> {
      throw new IllegalStateException("A defect of the driver.");
    }).decision(), "an unexpected error says nothing about the outcome");
  }

  @Test
  void branchEndsOnce() throws Exception {
    CountDownLatch committing = new CountDownLatch(StoreDecisions.THREADS);
    Semaphore go = new Semaphore(0);
    List<TestBranch> running = new ArrayList<>();
    for (int i = 0; i < StoreDecisions.THREADS; i++) {
      TestBranch branch = new TestBranch(() -> {
        committing.countDown();
        go.acquireUninterruptibly();
        return Decision.COMMITTED;
      });
      running.add(branch);
      decisions.decide(i, ID, NOTHING, NOTHING, branch);
    }
    committing.await();
    TestBranch queued = new TestBranch(() -> Decision.COMMITTED);
    decisions.decide(99, ID, NOTHING, NOTHING, queued);
    CountDownLatch then = new CountDownLatch(2);
    decisions.rollBack(running.get(0), then::countDown);
    assertEquals(1, then.getCount(), "a commit that has begun ends its branch: nothing to wait for");
    decisions.rollBack(queued, then::countDown);
    go.release(StoreDecisions.THREADS);
    then.await();
    for (int i = 0; i < StoreDecisions.THREADS; i++) {
      assertInstanceOf(Input.Decided.class, next());
    }
    assertEquals(0, running.get(0).rollbacks.get());
    assertEquals(0, queued.commits.get());
    assertEquals(1, queued.rollbacks.get());
    assertNull(inputs.poll(), "the decision of a branch that was rolled back is nobody's");
  }

  @Test
  void decidedBranchIsRolledBackBeforeItsRequestIsExecutedAgain() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    boolean[] atOnce = new boolean[1];
    TestBranch branch = new TestBranch(() -> Decision.ABORTED);
    decisions.close();
    decisions = new StoreDecisions(store, () -> {}, true);
    decisions.start(input -> {
      decisions.rollBack(branch, () -> atOnce[0] = true);
      assertTrue(atOnce[0], "in the step that has the decision");
      done.countDown();
      return true;
    });
    decisions.decide(5, ID, NOTHING, NOTHING, branch);
    done.await();
    assertEquals(0, branch.rollbacks.get());
  }

  @Test
  void fenceIsRepeatedUntilTheDatabaseAnswers() throws Exception {
    store.failures.set(1);
    decisions.fence(3, null, List.of(ID), true);
    Input.FenceFailed failed = assertInstanceOf(Input.FenceFailed.class, next());
    assertEquals(3, failed.view());
    assertFalse(failed.why().contains("down"), "clients get no detail of the database");
    assertEquals(new Input.Fenced(3, 3, Set.of(ID)), next());
    assertEquals(1, reloads.get());
    decisions.fence(4, ID, List.of(), false);
    assertEquals(new Input.Fenced(4, 4, Set.of()), next(), "nothing is prepared");
    assertEquals(1, reloads.get());
    decisions.forget(ID, false);
    assertEquals(ID, store.forgotten.poll(60, TimeUnit.SECONDS));
  }

  @Test
  void databaseIsPreparedInTheBackgroundUntilThatSucceeds() throws Exception {
    decisions.close();
    CountDownLatch attempts = new CountDownLatch(2);
    decisions = new StoreDecisions(
        store,
        () -> {
          attempts.countDown();
          if (attempts.getCount() == 1) {
            throw new DecisionStoreException("The database is down.", null);
          }
          return true;
        },
        reloads::incrementAndGet,
        true);
    decisions.start(inputs::add);
    attempts.await();
    assertEquals(0, store.fenced.size());
    assertEquals(0, reloads.get());
  }

  @Test
  void reasonOfAMissingFenceIsReportedForItsView() throws Exception {
    store.go.drainPermits();
    store.failures.set(1);
    assertNull(decisions.unfenced(3), "no fence was requested");
    decisions.fence(3, null, List.of(), true);
    assertTrue(decisions.unfenced(3).contains("not finished"), decisions.unfenced(3));
    store.go.release();
    assertInstanceOf(Input.FenceFailed.class, next());
    assertEquals("The database is down.", decisions.unfenced(3));
    assertNull(decisions.unfenced(4), "of another view");
    store.go.release(1_000);
    assertInstanceOf(Input.Fenced.class, next());
    Condition.await("the end of the attempt", () -> decisions.unfenced(3) == null);
  }

  @Test
  void failureWhoseTextDiffersInANumberIsLoggedOnce() throws Exception {
    decisions.close();
    decisions = new StoreDecisions(
        store,
        () -> {
          int attempt = reloads.incrementAndGet();
          if (attempt < 4) {
            throw new DecisionStoreException("No connection within " + (10_000 + attempt) + "ms.", null);
          }
        },
        true);
    decisions.start(inputs::add);
    try (LogRecorder log = LogRecorder.of(Level.WARNING, StoreDecisions.class.getPackageName())) {
      decisions.fence(3, null, List.of(), true);
      while (!(next() instanceof Input.Fenced)) {
        assertFalse(reloads.get() > 4, "the fourth attempt succeeds");
      }
      assertEquals(1, log.lines().stream().filter(line -> line.contains("No connection within")).count(), () -> log.lines().toString());
    }
  }

  @Test
  void laterFenceReplacesAnEarlierOne() throws Exception {
    store.go.drainPermits();
    store.failures.set(1);
    decisions.fence(3, null, List.of(), true);
    decisions.fence(4, null, List.of(), true);
    store.go.release(1_000);
    List<Input> all = new ArrayList<>();
    while (all.isEmpty() || !(all.get(all.size() - 1) instanceof Input.Fenced)) {
      all.add(next());
    }
    assertEquals(new Input.Fenced(4, 4, Set.of()), all.get(all.size() - 1));
    assertEquals(List.of(4L), List.copyOf(store.fenced));
  }

  @Test
  void replicaWithoutRecordsLetsTheStoreNumberItsEpochs() throws Exception {
    decisions.close();
    decisions = open(false);
    decisions.fence(1, null, List.of(), true);
    assertEquals(new Input.Fenced(1, 12, Set.of()), next());
  }

  /** The replica hears of it when that has lasted, and once. */
  @Test
  void aDatabaseThatDoesNotAnswerIsReportedUntilItDoes() throws Exception {
    Condition.await("a look", () -> store.looks.get() > 0);
    assertNull(decisions.silent());
    store.answers = false;
    assertEquals(new Input.DatabaseSeen(false), next());
    assertEquals("The database does not answer this replica.", decisions.silent());
    store.answers = true;
    assertEquals(new Input.DatabaseSeen(true), next());
    assertNull(decisions.silent());
    int looks = store.looks.get();
    Condition.await("another look", () -> store.looks.get() > looks + 1);
    assertTrue(inputs.isEmpty());
  }
}
