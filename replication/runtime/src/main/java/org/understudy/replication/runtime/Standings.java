package org.understudy.replication.runtime;

import java.time.Instant;
import java.util.function.Function;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.LoadBoard;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.routing.Standing;
import org.understudy.replication.runtime.time.GroupClocks;

/** The last standing that a replica's core reported. Changed under the core's lock, read without it. */
final class Standings {
  private final Function<View, Assignment> assign;
  private final ViewNotifier notifier;
  private final GroupClocks clocks;
  private volatile Standing current = Standing.START;
  private volatile LoadBoard loads = LoadBoard.EMPTY;
  private volatile Instant viewSince = Instant.now();

  /**
   * @param assign how the strategy divides the work of a view
   * @param notifier announces each standing, in order
   */
  Standings(Function<View, Assignment> assign, ViewNotifier notifier, GroupClocks clocks) {
    this.assign = assign;
    this.notifier = notifier;
    this.clocks = clocks;
  }

  Standing current() {
    return current;
  }

  /** The load indexes of the members, as far as they are known. */
  LoadBoard loads() {
    return loads;
  }

  GroupClocks clocks() {
    return clocks;
  }

  void loads(LoadBoard board) {
    loads = board;
  }

  /** When this replica learnt of the current view, by the wall clock. */
  Instant viewSince() {
    return viewSince;
  }

  Standing change(Role role, View view) {
    if (view.epoch() != current.view().epoch()) {
      viewSince = Instant.now();
    }
    current = new Standing(role, assign.apply(view));
    return current;
  }

  /** Announces a standing when the step is carried out. */
  void announce(Standing standing, Step step) {
    notifier.add(standing);
    step.act(notifier::flush);
  }
}
