package org.understudy.container.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.understudy.replication.api.ReplicatedState;
import org.understudy.state.StateModel;
import org.understudy.state.StateRules;
import org.understudy.test.Condition;

/** The last defence against a peer that announced no shape. */
class ShapeWatchTest {
  static final class Purse {
    @ReplicatedState int cents;
  }

  static final class Wallet {
    @ReplicatedState long cents;
  }

  @Test
  void aStateOfAnotherShapeHaltsTheReplicaOnce() {
    StateModel own = StateModel.of(Purse.class, StateRules.DEFAULTS);
    byte[] other = StateModel.of(Wallet.class, StateRules.DEFAULTS).stateOf(new Wallet()).captureState();
    List<String> reasons = new CopyOnWriteArrayList<>();
    ShapeWatch watch = new ShapeWatch(Purse.class, own, reasons::add);
    watch.onChange("1", own.stateOf(new Purse()).captureState());
    watch.onChange("1", null);
    watch.onChange("message/1", other);
    assertEquals(List.of(), reasons);
    watch.onChange("1", other);
    watch.onChange("2", other);
    Condition.await(() -> !reasons.isEmpty());
    assertEquals(1, reasons.size());
    assertTrue(reasons.get(0).contains("the resource 1 of " + Purse.class.getName()), reasons.get(0));
  }
}
