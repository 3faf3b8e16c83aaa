package org.understudy.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReadLevel;
import org.understudy.replication.core.update.StateChange;
import org.understudy.replication.runtime.state.AppliedState;
import org.understudy.replication.simulation.checker.Action;
import org.understudy.replication.simulation.checker.ExecutedUpdate;
import org.understudy.replication.simulation.checker.History;
import org.understudy.replication.simulation.checker.Observation;
import org.understudy.replication.simulation.checker.Operation;
import org.understudy.replication.simulation.checker.ResourceChecker;
import org.understudy.wsrf.resource.ResourceTransaction;
import org.understudy.wsrf.resource.Resources;

/**
 * Two reads beside long updates. Each sees a copy of what was applied when it would have waited. If the second got the first
 * one's copy, it would miss an update that had been acknowledged before it arrived.
 */
class ReadOfCopyScenarioTest {
  private static final String KEY = "counter";
  private static final long MILLISECOND = 1_000_000;

  /** A replica that has applied so many updates. */
  private static final class Image implements AppliedState {
    final Map<String, byte[]> states = new HashMap<>();
    long index;

    @Override
    public byte[] state(String resource) {
      return states.get(resource);
    }

    @Override
    public long stateVersion(String resource) {
      return 0;
    }

    @Override
    public long version(String resource) {
      return index;
    }
  }

  private final Image image = new Image();
  private final Resources resources = new Resources(image, true, Counter::new, "http://here/services/Counter", 10, new Random(1));
  private final History history = new History();
  private long now;

  private Operation update(String client, long amount) {
    now += MILLISECOND;
    return history.invoked(client, Action.ADD, KEY, null, amount, now);
  }

  /** The method has changed the object; the update is applied, stable and acknowledged. */
  private void commit(Operation operation, ResourceTransaction transaction) {
    Counter counter = (Counter) transaction.object();
    counter.value += operation.amount();
    counter.writer = operation.number() + 1L;
    image.index++;
    for (StateChange change : transaction.capture(true)) {
      image.states.put(change.resource(), change.state());
    }
    image.states.put(
        ExecutedUpdate.LOG + StateChange.NUMBERED + String.format("%016x%04x", image.index, 0),
        ExecutedUpdate.bytes(counter.writer, operation.number()));
    transaction.commit();
    transaction.release();
    now += MILLISECOND;
    operation.returned(new Observation(true, true, counter.value, counter.writer), image.index, now);
  }

  private ResourceTransaction begin() {
    ResourceTransaction transaction = resources.transaction(KEY, false);
    transaction.request(() -> {});
    transaction.begin();
    return transaction;
  }

  private Counter read(String client, Counter instead) {
    now += MILLISECOND;
    Operation operation = history.invoked(client, Action.READ, KEY, ReadLevel.LINEARIZABLE, 0, now);
    ResourceTransaction transaction = resources.transaction(KEY, true);
    assertFalse(transaction.request(() -> {}), "an update holds the lock");
    assertTrue(transaction.readCopy());
    transaction.begin();
    Counter seen = instead == null ? (Counter) transaction.object() : instead;
    transaction.release();
    now += MILLISECOND;
    operation.returned(new Observation(false, true, seen.value, seen.writer), image.index, now);
    return seen;
  }

  private List<String> violations(boolean oldCopy) {
    image.states.put(KEY, new Counter().captureState());
    commit(update("a", 1), begin());
    Operation second = update("b", 5);
    ResourceTransaction held = begin();
    Counter first = read("c", null);
    assertEquals(1, first.value);
    commit(second, held);
    Operation third = update("d", 7);
    ResourceTransaction next = begin();
    Counter later = read("e", oldCopy ? first : null);
    assertEquals(oldCopy ? 1 : 6, later.value);
    commit(third, next);
    new ResourceChecker(history, KEY::equals).check(image.states);
    return history.violations();
  }

  @Test
  void copyOfTheAppliedStateIsLinearizable() {
    assertEquals(List.of(), violations(false));
  }

  @Test
  void olderCopyIsNotLinearizable() {
    List<String> violations = violations(true);
    assertEquals(1, violations.size(), violations.toString());
    assertTrue(violations.get(0).startsWith("linearizability: ADD 5 on counter by client b"), violations.get(0));
  }
}
