package org.understudy.replication.runtime;

import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Role;
import org.understudy.replication.runtime.routing.AssignedDuties;
import org.understudy.replication.runtime.routing.Standing;
import org.understudy.replication.runtime.routing.ViewListener;

/**
 * Notifies listeners of every standing of the replica, in the order of the steps, one at a time. Steps add under the core's
 * lock; the thread that stepped notifies without it, unless another thread is notifying already.
 */
final class ViewNotifier {
  private static final Logger LOG = LoggerFactory.getLogger(ViewNotifier.class);

  private final String self;
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  private final AtomicBoolean notifying = new AtomicBoolean();
  private final AssignedDuties duties;
  private final ArrayDeque<Standing> changes = new ArrayDeque<>();

  /**
   * @param self the replica's name, for the log
   * @param duties whose listeners are notified of each change first
   */
  ViewNotifier(String self, AssignedDuties duties) {
    this.self = self;
    this.duties = duties;
  }

  void listen(ViewListener listener) {
    listeners.add(listener);
  }

  /** Called under the core's lock. */
  void add(Standing standing) {
    synchronized (changes) {
      changes.addLast(standing);
    }
  }

  /**
   * Called without the core's lock. Returns at once while another thread is notifying: that thread continues with the rest.
   */
  void flush() {
    // After releasing the flag, the thread checks again: a change added in between found the flag taken.
    while (hasChanges() && notifying.compareAndSet(false, true)) {
      try {
        Standing next = poll();
        while (next != null) {
          announce(next);
          next = poll();
        }
      } finally {
        notifying.set(false);
      }
    }
  }

  private boolean hasChanges() {
    synchronized (changes) {
      return !changes.isEmpty();
    }
  }

  private Standing poll() {
    synchronized (changes) {
      return changes.pollFirst();
    }
  }

  private void announce(Standing standing) {
    try {
      LOG.info("{}", sentence(self, standing.role(), standing.view()));
    } catch (RuntimeException | Error e) {
      // A failure of the log must not cost a listener its change.
    }
    duties.changed(standing);
    for (ViewListener listener : listeners) {
      try {
        listener.changed(standing.assignment());
      } catch (RuntimeException | Error e) {
        LOG.error("The view listener {} failed; the others are notified.", listener.getClass().getName(), e);
      }
    }
  }

  /** For the log: what the replica does now. */
  static String sentence(String self, Role role, View view) {
    String where =
        view.epoch() == 0
            ? "no view has begun yet"
            : "view " + view.epoch() + " has primary " + view.primary() + " and members " + view.members();
    return switch (role) {
      case PRIMARY -> "Replica " + self + " is the primary: " + where + ".";
      case BACKUP -> "Replica " + self + " is a backup: " + where + ".";
      case CHANGING -> "Replica " + self + " takes part in an election; last known: " + where + ".";
      case JOINING -> "Replica " + self + " is joining and waits for the state; last known: " + where + ".";
    };
  }
}
