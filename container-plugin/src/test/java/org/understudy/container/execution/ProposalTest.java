package org.understudy.container.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.StateCapture;
import org.understudy.replication.api.VersionHandle;
import org.understudy.replication.core.Effects;
import org.understudy.replication.core.Input;
import org.understudy.replication.core.Timing;
import org.understudy.replication.core.limit.Limits;
import org.understudy.replication.core.request.Failure;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Request;
import org.understudy.replication.core.request.Response;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.Call;
import org.understudy.replication.runtime.Replica;
import org.understudy.replication.runtime.RuntimeSettings;
import org.understudy.replication.runtime.peer.Channels;
import org.understudy.replication.runtime.state.StateListener;
import org.understudy.test.strategy.StepStrategy;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/** Executions on live objects, which the test commits and rolls back as a strategy does, when it likes. */
class ProposalTest {
  private static final byte[] ONE = {1};
  private static final byte[] TWO = {2};

  private final List<Input.Executed> executed = new ArrayList<>();
  /** What the next step names. */
  private final ArrayDeque<Consumer<Effects>> effects = new ArrayDeque<>();
  private Replica replica;
  private Resources resources;

  /** One byte. */
  private static final class Cell implements StateCapture {
    int value;

    @Override
    public byte[] captureState() {
      return new byte[] {(byte) value};
    }

    @Override
    public void restoreState(byte[] state) {
      value = state[0];
    }
  }

  @BeforeEach
  void open() throws Exception {
    ReplicaId self = new ReplicaId(1);
    RuntimeSettings settings =
        new RuntimeSettings(
            self, List.of(self), Path.of("unused"), Timing.of(Duration.ofMillis(50), Duration.ofSeconds(1)),
            Limits.DEFAULTS, Duration.ofSeconds(20));
    replica = Replica.prepare(settings, new StepStrategy(this::step), Channels.NONE);
    resources = new Resources(replica, true, Cell::new, "http://here", 1_000);
  }

  @AfterEach
  void close() {
    replica.close();
  }

  private void step(Input input, Effects out) {
    if (input instanceof Input.Requested requested) {
      out.execute(requested.token(), requested.request().kind());
    } else if (input instanceof Input.Executed end) {
      executed.add(end);
    } else if (input instanceof Input.Survey) {
      while (!effects.isEmpty()) {
        effects.poll().accept(out);
      }
    }
  }

  /** The strategy names this effect, in a step of its own. */
  private void strategy(Consumer<Effects> effect) {
    effects.add(effect);
    replica.survey();
  }

  private void apply(long version, StateChange... changes) {
    strategy(out -> out.applied(version, List.of(changes)));
  }

  /** A request that notes down each permission to execute. */
  private List<Long> request() {
    List<Long> granted = new ArrayList<>();
    replica.submit(
        new Request(null, 0, Request.Kind.UPDATE, null, VersionHandle.INITIAL, 0, ""),
        new Call() {
          @Override
          public void execute(long token, Request.Kind kind) {
            granted.add(token);
          }

          @Override
          public void reply(Reply reply) {}

          @Override
          public void fail(Failure failure) {}
        });
    return granted;
  }

  private ResourceTransaction enter(String id) {
    ResourceTransaction transaction = resources.transaction(id, false);
    assertTrue(transaction.request(() -> {}), "nobody is in " + id);
    transaction.begin();
    return transaction;
  }

  private Execution execution(long token, ResourceTransaction transaction) {
    Execution execution = new Execution(replica, token, true);
    execution.entered(transaction);
    return execution;
  }

  private void end(Execution execution) {
    execution.capture();
    execution.end(Response.EMPTY);
    execution.close();
  }

  @Test
  void anExecutionReportsTheVersionsOfAllThatItRead() {
    List<String> followed = new ArrayList<>();
    replica.observe(
        new StateListener() {
          @Override
          public void onChange(String key, byte[] state) {
            followed.add(key);
          }

          @Override
          public void onReset() {}
        });
    apply(3, new StateChange("a", ONE));
    apply(4, new StateChange("note/1", ONE), new StateChange("note/2", ONE));
    apply(5, new StateChange("note/2", null));
    long token = request().get(0);
    ResourceTransaction transaction = enter("a");
    assertEquals(1, ((Cell) transaction.current()).value);
    assertEquals(1, transaction.state("note/1")[0]);
    assertNull(transaction.state("note/2"));
    assertNull(transaction.state("note/3"));
    transaction.scan("note/");
    // Neither what it writes without a look, nor what it reads of its own, depends on others.
    transaction.put("note/4", TWO);
    assertEquals(2, transaction.state("note/4")[0]);
    apply(6, new StateChange("a", TWO), new StateChange("note/1", null));
    assertEquals(1, ((Cell) transaction.current()).value, "one execution sees one state of its resource");
    end(execution(token, transaction));
    Map<String, Long> expected =
        Map.of("a", 3L, "note/1", 4L, "note/2", 5L, "note/3", 5L, "note/", 5L);
    assertEquals(new TreeMap<>(expected), new TreeMap<>(executed.get(0).versions()));
    assertEquals(List.of("a", "note/1", "note/2", "note/2", "a", "note/1"), followed);
  }

  @Test
  void aLockedResourceNamesTheExecutionThatHoldsIt() {
    long token = request().get(0);
    ResourceTransaction transaction = enter("a");
    assertEquals("a request that has not begun", resources.holder("a"));
    Execution execution = execution(token, transaction);
    assertTrue(resources.holder("a").matches("execution " + token + " of \\S+Z, which has not reported its end"), resources.holder("a"));
    end(execution);
    assertTrue(resources.holder("a").endsWith("which waits for its decision"), resources.holder("a"));
    ResourceTransaction read = resources.transaction("a", true);
    assertFalse(read.request(() -> {}));
    execution(request().get(0), read);
    assertTrue(resources.holder("a").startsWith("execution " + token + " "), "a read that waits, or uses a copy, holds no lock");
    strategy(out -> out.rollback(token));
    assertEquals("a request that has not begun", resources.holder("a"), "the read, to which the lock was granted");
  }

  @Test
  void aResourceThatDoesNotExistIsReadToo() {
    apply(7, new StateChange("a", ONE));
    long token = request().get(0);
    ResourceTransaction transaction = enter("b");
    assertNull(transaction.object());
    apply(8, new StateChange("b", ONE));
    end(execution(token, transaction));
    assertEquals(Map.of("b", 7L), executed.get(0).versions(), "and has come into being since");
  }

  @Test
  void updateAppliesDuringAnExecutionWhichThenRunsAgain() {
    apply(1, new StateChange("a", ONE));
    List<Long> granted = request();
    ResourceTransaction first = enter("a");
    ((Cell) first.current()).value += 10;
    // Beside the execution, which has the lock, and again while its end is undecided.
    apply(2, new StateChange("a", TWO));
    end(execution(granted.get(0), first));
    assertEquals(Map.of("a", 1L), executed.get(0).versions());
    apply(3, new StateChange("a", new byte[] {3}));
    List<String> in = new ArrayList<>();
    ResourceTransaction second = resources.transaction("a", false);
    assertFalse(second.request(() -> in.add("second")), "the decision is still to come");
    long token = granted.get(0);
    strategy(out -> {
      out.rollback(token);
      out.execute(token, Request.Kind.UPDATE);
    });
    assertEquals(List.of("second"), in);
    assertEquals(List.of(token, token), granted);
    second.begin();
    assertEquals(3, ((Cell) second.current()).value, "nothing of the run that was rolled back");
    ((Cell) second.current()).value += 10;
    end(execution(token, second));
    Input.Executed again = executed.get(1);
    assertEquals(Map.of("a", 3L), again.versions());
    strategy(out -> out.commit(token, 4, again.changes()));
    ResourceTransaction third = enter("a");
    assertEquals(13, ((Cell) third.current()).value);
    third.release();
    assertEquals(4, replica.version("a"));
    assertEquals(0, resources.used());
  }

  @Test
  void createdResourceIsLockedUntilTheDecisionAndRemovedByARollback() {
    for (boolean stands : new boolean[] {false, true}) {
      executed.clear();
      long token = request().get(0);
      ResourceTransaction transaction = enter(null);
      String id = transaction.create(new Cell(), null);
      end(execution(token, transaction));
      assertNull(replica.state(id));
      List<String> in = new ArrayList<>();
      ResourceTransaction guess = resources.transaction(id, true);
      assertFalse(guess.request(() -> in.add(id)), "nobody sees it yet");
      List<StateChange> changes = executed.get(0).changes();
      strategy(out -> {
        if (stands) {
          out.commit(token, 5, changes);
        } else {
          out.rollback(token);
        }
      });
      assertEquals(List.of(id), in);
      guess.begin();
      assertEquals(stands, guess.object() != null);
      guess.release();
      assertEquals(stands, replica.state(id) != null);
    }
    assertEquals(0, resources.used());
  }

  @Test
  void committedObjectIsReusedAndAStaleOneRestored() {
    apply(1, new StateChange("a", ONE));
    long token = request().get(0);
    ResourceTransaction transaction = enter("a");
    StateCapture object = transaction.current();
    ((Cell) object).value = 9;
    end(execution(token, transaction));
    List<StateChange> changes = executed.get(0).changes();
    strategy(out -> out.commit(token, 2, changes));
    ResourceTransaction next = enter("a");
    assertEquals(object, next.current());
    next.release();
    apply(3, new StateChange("a", TWO));
    ResourceTransaction last = enter("a");
    assertEquals(2, ((Cell) last.current()).value);
    last.release();
  }

  @Test
  void undecidedProposalIsRolledBackWhenTheReplicaStops() {
    apply(1, new StateChange("a", ONE));
    long token = request().get(0);
    ResourceTransaction transaction = enter("a");
    ((Cell) transaction.current()).value = 9;
    end(execution(token, transaction));
    replica.close();
    ResourceTransaction next = enter("a");
    assertTrue(Arrays.equals(ONE, next.current().captureState()));
    next.release();
  }

  @Test
  void executionThatEndsAtAStoppedReplicaIsRolledBack() {
    apply(1, new StateChange("a", ONE));
    long token = request().get(0);
    ResourceTransaction transaction = enter("a");
    ((Cell) transaction.current()).value = 9;
    replica.close();
    end(execution(token, transaction));
    assertEquals(List.of(), executed);
    ResourceTransaction next = enter("a");
    assertEquals(1, ((Cell) next.current()).value);
    next.release();
  }
}
