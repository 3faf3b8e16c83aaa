package org.understudy.client.invocation;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.ViewListener;

/** The messages in flight: the {@code ops} of Zhang et al. 2004, Fig. 2. Thread-safe. */
public final class InFlightInvocations implements ViewListener {
  private final Set<InvocationTask> open = ConcurrentHashMap.newKeySet();

  void add(InvocationTask delivery) {
    open.add(delivery);
  }

  void remove(InvocationTask delivery) {
    open.remove(delivery);
  }

  /**
   * Sends every open message at once to a replica that serves it in the new view: {@code FAILURE_HANDLER} of the same
   * figure.
   */
  @Override
  public void viewChanged(GroupView view) {
    for (InvocationTask delivery : open) {
      delivery.viewChanged(view);
    }
  }

  /** Cancels every open message. */
  public void abandon() {
    for (InvocationTask delivery : open) {
      delivery.abandon();
    }
  }
}
