package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one step of the core wants done after it. Filled under the core's exclusion, carried out by the caller. */
final class Step {
  private static final Logger LOG = LoggerFactory.getLogger(Step.class);

  private final List<Runnable> actions = new ArrayList<>(4);
  private final List<Outbox> touched = new ArrayList<>(4);
  private List<Consumer<StateListener>> events = List.of();

  void act(Runnable action) {
    actions.add(action);
  }

  void flushLater(Outbox outbox) {
    if (!touched.contains(outbox)) {
      touched.add(outbox);
    }
  }

  void notifyLater(Consumer<StateListener> event) {
    if (events.isEmpty()) {
      events = new ArrayList<>(2);
    }
    events.add(event);
  }

  /** In the order in which the step named them. */
  List<Consumer<StateListener>> events() {
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
