package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one step of the core wants done after it. Filled under the core's exclusion, carried out by the caller. The order is
 * always this:
 *
 * <ol>
 *   <li>Under the exclusion, as the step names them: changes of the image.
 *   <li>Under the exclusion, when the step has returned: the state listeners, in the order in which they were added. Each
 *       hears of all that the step did to the state, in the order in which the step named it.
 *   <li>Outside the exclusion: messages to peers, one peer after the other.
 *   <li>Outside the exclusion: everything else in the order in which the step named it, that is executions, answers,
 *       commits and rollbacks, multicasts, changes of the view. Of a change of the view, the listeners of duties hear before
 *       the listeners of the view.
 * </ol>
 *
 * <p>What is held until a record is durable takes its place in the step in which the record is reported. What is outside the
 * exclusion may overlap with other steps; only messages to one peer, multicasts and changes of the view keep the order of the
 * steps.
 */
final class Step {
  private static final Logger LOG = LoggerFactory.getLogger(Step.class);

  private final List<Runnable> actions = new ArrayList<>(4);
  private final List<Outbox> touched = new ArrayList<>(4);
  private List<Consumer<FollowedState>> events = List.of();

  void act(Runnable action) {
    actions.add(action);
  }

  void flushLater(Outbox outbox) {
    if (!touched.contains(outbox)) {
      touched.add(outbox);
    }
  }

  void notifyLater(Consumer<FollowedState> event) {
    if (events.isEmpty()) {
      events = new ArrayList<>(2);
    }
    events.add(event);
  }

  /** In the order in which the step named them. */
  List<Consumer<FollowedState>> events() {
    return events;
  }

  /** Outside the exclusion. An action that throws is logged; the others are still carried out. */
  void carryOut() {
    for (int i = 0; i < touched.size(); i++) {
      guarded(touched.get(i)::flush);
    }
    for (int i = 0; i < actions.size(); i++) {
      guarded(actions.get(i));
    }
  }

  private static void guarded(Runnable action) {
    try {
      action.run();
    } catch (RuntimeException | Error e) {
      LOG.error("An effect of a step failed; the other effects are carried out.", e);
    }
  }
}
