package org.understudy.wsrf.notification;

import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.understudy.notification.delivery.Dispatcher;
import org.understudy.notification.subscription.EndReason;
import org.understudy.replication.core.update.StateChange;
import org.understudy.wsrf.resource.InternalUpdates;

/**
 * The ended resources whose subscriptions have not ended yet. The update that ends a resource stores its end in the state. The
 * delivering replica ends each subscription after its consumer has received all earlier messages, and then removes the stored
 * end. Its successor continues. Belongs to the thread of the {@link NotificationLog}.
 */
final class EndedProducers {
  /** The prefix of the keys of ends, see {@link StateChange#NUMBERED}. */
  static final String ENDED = "ended";

  /** Before an end's index. */
  static final String END = ENDED + "/";

  /** The maximum number of subscriptions being ended at a time. */
  private static final int MOST = 64;

  private final Subscriptions subscriptions;
  private final NotificationLog.Ending ending;
  private final InternalUpdates updates;
  private final Consumer<Runnable> later;

  /** Ends by their positions. */
  private final TreeMap<Long, Ended> ends = new TreeMap<>();

  /** The ids of subscriptions being ended, and the keys of ends being removed. */
  private final Set<String> going = new HashSet<>();

  /** With the key it is kept under. */
  private record Ended(String key, String producer) {}

  /** @param later runs a task on the log's thread */
  EndedProducers(
      Subscriptions subscriptions, NotificationLog.Ending ending, InternalUpdates updates, Consumer<Runnable> later) {
    this.subscriptions = subscriptions;
    this.ending = ending;
    this.updates = updates;
    this.later = later;
  }

  /** Receives the state under a key with the prefix {@link #END}. */
  void onChange(String key, byte[] state) {
    long position = NotificationLog.position(key);
    if (state == null) {
      ends.remove(position);
    } else {
      ends.put(position, new Ended(key, new String(state, StandardCharsets.UTF_8)));
    }
  }

  void clear() {
    ends.clear();
  }

  /**
   * Called periodically where notifications are delivered.
   *
   * @param handedOver the dispatcher has every message up to this position
   */
  void endSubscriptions(Dispatcher dispatcher, long handedOver) {
    for (Ended end : ends.values()) {
      long last = NotificationLog.lastOf(StateChange.indexOf(end.key()));
      if (last > handedOver) {
        return;
      }
      Set<String> left = subscriptions.at(end.producer());
      for (String id : left) {
        if (going.size() >= MOST) {
          return;
        }
        if (!dispatcher.waits(id, last) && going.add(id)) {
          ending.end(id, EndReason.PRODUCER_ENDED, () -> gone(id));
        }
      }
      if (left.isEmpty() && going.add(end.key())) {
        updates.run(
            null,
            transaction -> {
              transaction.remove(end.key());
              return true;
            },
            () -> gone(end.key()),
            failure -> gone(end.key()));
      }
    }
  }

  private void gone(String what) {
    later.accept(() -> going.remove(what));
  }
}
