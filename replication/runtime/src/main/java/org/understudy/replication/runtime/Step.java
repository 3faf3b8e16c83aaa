package org.understudy.replication.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.runtime.peer.MulticastOutbox;
import org.understudy.replication.runtime.peer.Outbox;
import org.understudy.replication.runtime.state.FollowedState;

/**
 * The effects of one step of the core, to be done after it. Filled under the core's lock, carried out by the caller. The order is
 * always this:
 *
 * <ol>
 *   <li>Under the lock, as the step requests them: changes of the image.
 *   <li>Under the lock, when the step has returned: the state listeners, in the order in which they were added. Each
 *       receives all that the step changed in the state, in the order in which the step requested it.
 *   <li>Without the lock: multicasts, then messages to peers, one peer after the other: the place of a proposal finds its content there.
 *   <li>Without the lock: everything else in the order in which the step requested it: executions, answers,
 *       commits and rollbacks, changes of the view. The listeners of duties are notified of a view before
 *       the listeners of the view.
 *   <li>Without the lock: messages on which nobody waits, as far as they have not left with others to the same peer.
 *   <li>A further step, if the step has requested it.
 * </ol>
 *
 * <p>Effects held until a record is durable belong to the step in which the record is reported. Effects carried out without the
 * lock may overlap with other steps; only messages to one peer, multicasts and changes of the view keep the order of the
 * steps.
 */
final class Step {
  private static final Logger LOG = LoggerFactory.getLogger(Step.class);

  private final List<Runnable> actions = new ArrayList<>(4);
  private final List<Outbox> touched = new ArrayList<>(4);
  private final List<Outbox> touchedLast = new ArrayList<>(2);
  /** Null while the step has multicast nothing. */
  private MulticastOutbox multicasts;
  private List<Consumer<FollowedState>> events = List.of();
  private boolean again;

  void act(Runnable action) {
    actions.add(action);
  }

  void flushFirst(MulticastOutbox outbox) {
    multicasts = outbox;
  }

  void flushLater(Outbox outbox) {
    if (!touched.contains(outbox)) {
      touched.add(outbox);
    }
  }

  void flushLast(Outbox outbox) {
    if (!touchedLast.contains(outbox)) {
      touchedLast.add(outbox);
    }
  }

  void stepAgain() {
    again = true;
  }

  /** Whether the core has left something for a step after this one is carried out. */
  boolean isSteppedAgain() {
    return again;
  }

  void notifyLater(Consumer<FollowedState> event) {
    if (events.isEmpty()) {
      events = new ArrayList<>(2);
    }
    events.add(event);
  }

  /** In the order in which the step requested them. */
  List<Consumer<FollowedState>> events() {
    return events;
  }

  /** Runs the actions without the lock. An action that throws is logged; the others are still carried out. */
  void carryOut() {
    if (multicasts != null) {
      guarded(multicasts::flush);
    }
    for (int i = 0; i < touched.size(); i++) {
      guarded(touched.get(i)::flush);
    }
    for (int i = 0; i < actions.size(); i++) {
      guarded(actions.get(i));
    }
    for (int i = 0; i < touchedLast.size(); i++) {
      guarded(touchedLast.get(i)::flush);
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
