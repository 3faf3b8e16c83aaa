package org.understudy.replication.simulation.transaction;

import java.util.function.Consumer;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.transaction.CoordinatorLife;
import org.understudy.replication.core.update.StateChange;

/** The life of the coordinators' group at one replica, after the container's. An older build knows none. */
final class SimulatedLife {
  private static final String KEY = "life";
  /** Has a state when the group has committed a transaction. */
  private static final String COMMITTED = "committed";

  private final SimulatedNode node;
  private final SimulatedContainer container;

  SimulatedLife(SimulatedNode node, SimulatedContainer container) {
    this.node = node;
    this.container = container;
  }

  /** The change by which a commit shows that the group knows one. */
  static StateChange committed() {
    return new StateChange(COMMITTED, new byte[] {1});
  }

  private boolean hasCommitted() {
    return node.image.containsKey(COMMITTED);
  }

  /** Hands over the id of a transaction, when its life is stable; draws one if there is none. */
  void next(String unique, Consumer<String> then, Runnable failed) {
    if (node.simulation.isOlder(node)) {
      then.accept(unique);
    } else {
      stable(present -> then.accept(present.id("", unique)), failed);
    }
  }

  private void stable(Consumer<CoordinatorLife> then, Runnable failed) {
    CoordinatorLife present = present();
    if (present != null) {
      container.guarded(() -> {}, () -> then.accept(present), failed);
      return;
    }
    CoordinatorLife drawn = new CoordinatorLife(
        Long.toHexString(node.simulation.world().number()), node.epoch(), !node.image.containsKey(KEY) && hasCommitted());
    boolean waits = node.simulation.rules().contains(Rule.LIFE_BEFORE_TRANSACTION);
    if (!waits) {
      then.accept(drawn);
    }
    container.update(TwoPhaseStep.LIFE, new StateChange(KEY, drawn.state()), stored -> {
      if (waits && stored) {
        stable(then, failed);
      } else if (waits) {
        failed.run();
      }
    });
  }

  /** Whether a transaction was begun in the present life. */
  boolean includes(String transaction) {
    if (node.simulation.isOlder(node)) {
      return true;
    }
    CoordinatorLife present = present();
    return present == null
        ? !node.image.containsKey(KEY) && !CoordinatorLife.isNamed(transaction) && hasCommitted() : present.includes(transaction);
  }

  /** Null before the first transaction. */
  private CoordinatorLife present() {
    byte[] state = node.image.get(KEY);
    CoordinatorLife found = state == null ? null : CoordinatorLife.read(state);
    return found != null && found.lastsAt(node.epoch()) ? found : null;
  }
}
