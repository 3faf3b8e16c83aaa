package org.understudy.replication.simulation.transaction;

import java.util.function.Consumer;
import org.understudy.replication.core.Rule;
import org.understudy.replication.core.transaction.CoordinatorLife;
import org.understudy.replication.core.update.StateChange;

/** The life of the coordinators' group at one replica, after the container's. */
final class SimulatedLife {
  private static final String KEY = "life";

  private final SimulatedNode node;
  private final SimulatedContainer container;

  SimulatedLife(SimulatedNode node, SimulatedContainer container) {
    this.node = node;
    this.container = container;
  }

  /** Hands over the present life when it is stable; draws one if there is none. */
  void stable(Consumer<CoordinatorLife> then, Runnable failed) {
    CoordinatorLife present = present();
    if (present != null) {
      container.guarded(() -> {}, () -> then.accept(present), failed);
      return;
    }
    CoordinatorLife drawn = new CoordinatorLife(Long.toHexString(node.simulation.world().number()), node.epoch(), false);
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
    CoordinatorLife present = present();
    return present != null && present.includes(transaction);
  }

  /** Null before the first transaction. */
  private CoordinatorLife present() {
    byte[] state = node.image.get(KEY);
    CoordinatorLife found = state == null ? null : CoordinatorLife.read(state);
    return found != null && found.lastsAt(node.epoch()) ? found : null;
  }
}
