package org.understudy.replication.runtime;

import java.time.Instant;
import java.util.function.Function;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.core.Role;

/** The standing of a replica, as its core named it last. Changed under the core's exclusion, read by all. */
final class Standings {
  private final Function<View, Assignment> assign;
  private final ViewNotifier notifier;
  private volatile Standing current = Standing.START;
  private volatile Instant viewSince = Instant.now();

  /**
   * @param assign how the strategy divides the work of a view
   * @param notifier announces each standing, in their order
   */
  Standings(Function<View, Assignment> assign, ViewNotifier notifier) {
    this.assign = assign;
    this.notifier = notifier;
  }

  Standing current() {
    return current;
  }

  /** When the present view became known here, by the wall clock. */
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

  /** Lets all hear of a standing when the step is carried out. */
  void announce(Standing standing, Step step) {
    notifier.add(standing);
    step.act(notifier::flush);
  }
}
