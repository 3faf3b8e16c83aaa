package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.BranchStore;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.DecisionId;
import org.understudy.replication.api.decision.InDoubt;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.test.Condition;

/** What a primary does with branches that its log does not name, also one that is replaced meanwhile. */
class DatabaseBranchesTest {
  private static final ParticipantRecord PARTICIPANT = new ParticipantRecord("urn:t", "bank p1".getBytes(StandardCharsets.UTF_8));
  private static final BranchId BRANCH = BranchId.of(5, PARTICIPANT);
  private static final InDoubt VOTED = new InDoubt(new DecisionId(5, 7), PARTICIPANT, List.of("branch/" + BRANCH));

  private final TestGroup group = new TestGroup();
  private final TestBranchStore store = new TestBranchStore();
  private final DatabaseBranches branches = new DatabaseBranches(group);

  @AfterEach
  void close() {
    branches.close();
  }

  /** Sweeps until the first sweep has ended, and a second one has begun. */
  private void sweep() {
    branches.use(store);
    Condition.await("two sweeps", () -> {
      branches.left().sweep();
      return store.reads.get() >= 2;
    });
  }

  @Test
  void aPrimaryRollsBackWhatNobodyHasVotedFor() {
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    sweep();
    assertEquals("end ABORTED", store.calls.peek());
  }

  @Test
  void aPrimaryRemovesTheRowOfACommittedBranch() {
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, true));
    sweep();
    assertEquals("forget", store.calls.peek());
  }

  @Test
  void aPrimaryKeepsWhatIsInDoubt() {
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    group.undecided.add(VOTED);
    sweep();
    assertTrue(store.calls.isEmpty(), store.calls.toString());
  }

  /** Its memory is replaced while it reads the branches. What it has voted for is in doubt at its successor. */
  @Test
  void aReplacedPrimaryEndsNothing() {
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, true));
    group.undecided.add(VOTED);
    store.reading = group.undecided::clear;
    group.certain = false;
    sweep();
    assertTrue(store.calls.isEmpty(), store.calls.toString());
  }

  /** It was replaced and has become primary again, while it read the branches. */
  @Test
  void aPrimaryOfALaterEpochReadsThemAgain() {
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    group.undecided.add(VOTED);
    store.reading = () -> {
      group.undecided.clear();
      store.reading = () -> {};
    };
    group.confirming = () -> {
      store.epoch = 9;
      group.undecided.add(VOTED);
      group.confirming = () -> {};
    };
    sweep();
    assertTrue(store.calls.isEmpty(), store.calls.toString());
  }

  @Test
  void aSweepThatCouldNotBeginIsFollowedByAnother() {
    branches.inherited(List.of(VOTED));
    group.unreadable = true;
    branches.use(store);
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    assertThrows(IllegalStateException.class, branches.left()::sweep);
    group.unreadable = false;
    sweepUntilTheBranchEnds();
  }

  @Test
  void aSweepWhosePrimaryCannotBeConfirmedIsFollowedByAnother() {
    branches.use(store);
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    group.confirming = () -> {
      throw new IllegalStateException("for the test");
    };
    assertThrows(IllegalStateException.class, branches.left()::sweep);
    group.confirming = () -> {};
    group.confirmation = CompletableFuture.failedFuture(new IllegalStateException("for the test"));
    branches.left().sweep();
    group.confirmation = null;
    sweepUntilTheBranchEnds();
  }

  private void sweepUntilTheBranchEnds() {
    Condition.await("the branch to end", () -> {
      branches.left().sweep();
      return store.calls.contains("end ABORTED");
    });
  }

  /** Each page of them is in doubt, but for the last one. */
  @Test
  void aPrimaryReadsAllBranches() {
    for (int i = 0; i < 2 * BranchStore.PAGE; i++) {
      ParticipantRecord participant = new ParticipantRecord("urn:t" + i, new byte[0]);
      BranchId id = BranchId.of(5, participant);
      store.known.add(new KnownBranch(id, participant, false));
      group.undecided.add(new InDoubt(new DecisionId(5, i + 1), participant, List.of("branch/" + id)));
    }
    BranchId last = new BranchId(5, "f".repeat(32));
    store.known.add(new KnownBranch(last, PARTICIPANT, false));
    sweep();
    assertEquals(List.of("end ABORTED"), List.copyOf(store.calls));
  }

  /** Some branches cannot be ended, for example because others hold locks. */
  @Test
  void aPrimaryEndsBranchesBehindThoseThatCannotBeEnded() {
    for (int i = 0; i < 5; i++) {
      store.known.add(new KnownBranch(new BranchId(5, Integer.toString(i).repeat(32)), PARTICIPANT, false));
    }
    store.stuck = Set.of("0".repeat(32), "1".repeat(32), "2".repeat(32), "3".repeat(32));
    branches.use(store);
    Condition.await("the last branch to end", () -> {
      branches.left().sweep();
      return store.calls.contains("end ABORTED");
    });
  }

  /** All replicas have lost their memory since the vote. */
  @Test
  void aLostBranchIsShownUntilItsCoordinatorOrAnOperatorHasDecided() {
    group.since = null;
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    branches.left().report();
    sweep();
    Condition.await("the branch", () -> branches.left().lost().size() == 1);
    assertEquals(List.of(new LeftBranches.Lost(BRANCH, "urn:t", "bank p1")), branches.left().lost("urn:t"));
    assertTrue(branches.mayHaveLost(), "a coordinator must not be answered about what is unknown");
    assertTrue(store.calls.isEmpty(), store.calls.toString());
    branches.left().end("urn:t", "bank p1", Decision.COMMITTED);
    assertEquals("end COMMITTED", store.calls.peek());
    assertEquals(List.of(), branches.left().lost());
    store.known.clear();
    Condition.await("a sweep without a lost branch", () -> {
      branches.left().sweep();
      return !branches.mayHaveLost();
    });
  }

  /** The replica does not know whether it is still the primary: a successor may be about to mark the update. */
  @Test
  void theRowOfACommittedBranchThatWasLostStays() {
    group.primary = false;
    store.known.add(new KnownBranch(BRANCH, PARTICIPANT, false));
    branches.use(store);
    branches.left().end("urn:t", "bank p1", Decision.COMMITTED);
    assertEquals(List.of("end COMMITTED"), List.copyOf(store.calls));
  }

  /** A replica that has not fenced the database sees no branch of it. */
  @Test
  void aPrimaryReportsThatNoneIsLostOnlyAfterTheFence() {
    store.epoch = 0;
    branches.left().report();
    branches.use(store);
    branches.left().sweep();
    assertTrue(branches.mayHaveLost());
    store.epoch = 5;
    Condition.await("a report", () -> {
      branches.left().sweep();
      return !branches.mayHaveLost();
    });
  }

  /** This replica. */
  private static final class TestGroup implements DatabaseBranches.Group {
    private volatile boolean primary = true;
    private final List<InDoubt> undecided = new CopyOnWriteArrayList<>();
    private volatile boolean certain = true;
    private volatile byte[] since = ByteBuffer.allocate(Long.BYTES).putLong(1).array();
    private final Map<String, byte[]> state = new ConcurrentHashMap<>();
    private volatile Runnable confirming = () -> {};
    private volatile CompletableFuture<Failure> confirmation;
    private volatile boolean unreadable;

    @Override
    public boolean isPrimary() {
      return primary;
    }

    @Override
    public List<InDoubt> undecided() {
      if (unreadable) {
        throw new IllegalStateException("for the test");
      }
      return List.copyOf(undecided);
    }

    @Override
    public byte[] state(String key) {
      return key.equals("branches/since") ? since : state.get(key);
    }

    @Override
    public CompletableFuture<Failure> update(StateChange change) {
      state.put(change.resource(), change.state());
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletableFuture<Failure> confirmPrimary() {
      confirming.run();
      CompletableFuture<Failure> given = confirmation;
      Failure failure = certain ? null : new Failure(FailureCode.NotReady, "Not the primary.");
      return given != null ? given : CompletableFuture.completedFuture(failure);
    }
  }
}
