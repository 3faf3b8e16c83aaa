package org.understudy.container.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.understudy.container.SingleReplica;
import org.understudy.replication.api.FailureCode;
import org.understudy.replication.api.decision.BranchId;
import org.understudy.replication.api.decision.Decision;
import org.understudy.replication.api.decision.KnownBranch;
import org.understudy.replication.api.decision.ParticipantRecord;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Replica;
import org.understudy.test.Condition;

/** Operators decide at a primary whose log is slow: it holds changes of the state until the test lets them go on. */
class OperatorCommandsTest {
  private static final String ID = "urn:t";
  private static final TransactionSettings SETTINGS = new TransactionSettings("shop", null, true, 16, 600_000, 16, 1 << 20);

  private final Replica replica;
  private final OpenTransactions open;
  private final HeldRequests requests;
  private final CoordinatedTransactions transactions;

  /** The log takes these changes when the test lets it. */
  private static final class HeldRequests extends OwnRequests {
    private final Queue<Runnable> held = new ConcurrentLinkedQueue<>();
    private volatile boolean holds;
    private volatile boolean confirms = true;

    HeldRequests(Replica replica) {
      super(replica);
    }

    @Override
    CompletableFuture<Failure> update(StateChange change) {
      if (!holds) {
        return super.update(change);
      }
      CompletableFuture<Failure> done = new CompletableFuture<>();
      held.add(() -> super.update(change).thenAccept(done::complete));
      return done;
    }

    @Override
    CompletableFuture<Failure> confirmPrimary() {
      return confirms
          ? super.confirmPrimary()
          : CompletableFuture.completedFuture(new Failure(FailureCode.NoQuorum, "The backups are silent."));
    }

    void goOn() {
      holds = false;
      held.forEach(Runnable::run);
      held.clear();
    }
  }

  OperatorCommandsTest() throws Exception {
    replica = SingleReplica.open();
    open = new OpenTransactions(SETTINGS, replica);
    requests = new HeldRequests(replica);
    transactions = new CoordinatedTransactions(open, SETTINGS, Coordinations.NONE, replica, requests);
    prepare();
  }

  @AfterEach
  void close() {
    transactions.close();
    open.close();
    replica.close();
  }

  private void prepare() {
    SingleReplica.prepare(replica, ID, "bank p1");
    Condition.await("a transaction in doubt", () -> transactions.isInDoubt(ID));
  }

  /** Runs a command until the log holds a change of it, and lets its thread give up then, as it does after its time. */
  private void giveUp(Runnable command) throws InterruptedException {
    requests.holds = true;
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    Thread thread = new Thread(command);
    thread.setUncaughtExceptionHandler((one, e) -> thrown.set(e));
    thread.start();
    Condition.await("a change that the log holds", () -> !requests.held.isEmpty());
    thread.interrupt();
    thread.join();
    assertTrue(thrown.get() instanceof IllegalStateException, String.valueOf(thrown.get()));
  }

  private boolean isCommitted() {
    return replica.state("a/1") != null;
  }

  /** The coordinator's decision would come first in the log, and the operator's would look as if the two differed. */
  @Test
  void theCoordinatorWaitsUntilTheLogHasWhatAnOperatorHasDecided() throws Exception {
    giveUp(() -> transactions.decide(ID, Decision.ABORTED));
    assertThrows(IllegalStateException.class, () -> transactions.participant().commit(ID), "it sends the commit again");
    assertTrue(transactions.isInDoubt(ID));
    requests.goOn();
    assertThrows(ContradictedDecisionException.class, () -> transactions.participant().commit(ID));
    assertFalse(isCommitted(), "the operator's decision came first");
    assertTrue(transactions.operators().find(ID).contradicted());
  }

  /** What both have decided is forgotten, and a change that is still on its way does not bring it back. */
  @Test
  void theSameDecisionOfBothLeavesNothing() throws Exception {
    giveUp(() -> transactions.decide(ID, Decision.COMMITTED));
    assertThrows(IllegalStateException.class, () -> transactions.participant().commit(ID), "it sends the commit again");
    requests.goOn();
    transactions.participant().commit(ID);
    assertTrue(isCommitted());
    assertNull(transactions.operators().find(ID));
  }

  /** Its decision about what is in doubt is kept until then: another one would replace it there. */
  @Test
  void anOperatorWaitsUntilTheLogHasWhatAnotherHasDecided() throws Exception {
    giveUp(() -> transactions.decide(ID, Decision.ABORTED));
    assertThrows(IllegalStateException.class, () -> transactions.decide(ID, Decision.COMMITTED));
    requests.goOn();
    assertEquals(Decision.ABORTED, transactions.operators().find(ID).decision());
    assertThrows(IllegalStateException.class, () -> transactions.decide(ID, Decision.COMMITTED));
    transactions.decide(ID, Decision.ABORTED);
    assertFalse(isCommitted());
    assertEquals(Decision.ABORTED, transactions.operators().find(ID).decision());
  }

  /** Its next primary may lack what an operator has decided, and would not find the branch then that its coordinator commits. */
  @Test
  void aLostBranchEndsAsAnOperatorHasDecidedWhenThatIsStable() throws Exception {
    ParticipantRecord lost = new ParticipantRecord("urn:lost", "bank p2".getBytes(StandardCharsets.UTF_8));
    TestBranchStore store = new TestBranchStore();
    store.known.add(new KnownBranch(BranchId.of(5, lost), lost, false));
    transactions.use(store);
    assertNull(requests.update(new OperatorDecisions.Entry("urn:lost", Decision.ABORTED, false, "bank p2").stored()).join());
    requests.confirms = false;
    assertThrows(IllegalStateException.class, () -> transactions.participant().commit("urn:lost"));
    assertThrows(IllegalStateException.class, () -> transactions.endLost("urn:lost", "bank p2", Decision.ABORTED));
    assertEquals(List.of(), List.copyOf(store.calls));
    requests.confirms = true;
    assertThrows(ContradictedDecisionException.class, () -> transactions.participant().commit("urn:lost"));
    assertEquals(List.of("end ABORTED"), List.copyOf(store.calls));
  }

  /** The coordinator's decision notes that the two differ. What an operator has forgotten before the log has that would come back. */
  @Test
  void aDecisionIsForgottenWhenNothingStoresItAgain() throws Exception {
    transactions.decide(ID, Decision.ABORTED);
    giveUp(() -> transactions.participant().commit(ID));
    requests.holds = false;
    assertThrows(IllegalStateException.class, () -> transactions.forget(ID), "its contradiction is on its way");
    requests.goOn();
    assertTrue(transactions.operators().find(ID).contradicted());
    transactions.forget(ID);
    assertNull(transactions.operators().find(ID));
    transactions.participant().commit(ID);
  }

  /** The coordinator's decision waits, and finds nothing to contradict then. */
  @Test
  void theCoordinatorWaitsUntilTheLogHasWhatIsForgotten() throws Exception {
    transactions.decide(ID, Decision.ABORTED);
    giveUp(() -> transactions.forget(ID));
    assertThrows(IllegalStateException.class, () -> transactions.participant().commit(ID), "it sends the commit again");
    requests.goOn();
    transactions.participant().commit(ID);
    assertNull(transactions.operators().find(ID));
  }

  /** A command that has failed at the database is to be repeated: its decision is not forgotten before. */
  @Test
  void aDecisionAboutALostBranchIsNotForgottenBeforeThatHasEnded() {
    ParticipantRecord lost = new ParticipantRecord("urn:lost", "bank p2".getBytes(StandardCharsets.UTF_8));
    TestBranchStore store = new TestBranchStore();
    store.known.add(new KnownBranch(BranchId.of(5, lost), lost, false));
    transactions.use(store);
    assertNull(requests.update(new OperatorDecisions.Entry("urn:lost", Decision.ABORTED, false, "bank p2").stored()).join());
    transactions.branches().left().sweep();
    Condition.await("a lost branch", () -> !transactions.branches().left().lost("urn:lost").isEmpty());
    assertThrows(IllegalStateException.class, () -> transactions.forget("urn:lost"));
    transactions.decide("urn:lost", Decision.ABORTED);
    transactions.forget("urn:lost");
    assertNull(transactions.operators().find("urn:lost"));
    assertEquals(List.of("end ABORTED"), List.copyOf(store.calls));
  }
}
