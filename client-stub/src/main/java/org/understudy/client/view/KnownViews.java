package org.understudy.client.view;

import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;

/** Holds the newest view that any replica reported to this client. Thread-safe; reading takes no lock. */
public final class KnownViews {
  private final List<URI> configured;
  private final List<ViewListener> listeners = new CopyOnWriteArrayList<>();
  private volatile Known known;
  private volatile long highestEpoch;

  /** The view and the order in which its replicas are tried: both change together. */
  private record Known(GroupView view, List<URI> addresses) {}

  public KnownViews(List<URI> configured) {
    this.configured = List.copyOf(configured);
    this.known = new Known(GroupView.NONE, this.configured);
  }

  public GroupView current() {
    return known.view;
  }

  /** Every known replica: those of the view in its order, then configured ones that it does not list. Never empty. */
  public List<URI> addresses() {
    return known.addresses;
  }

  /** The highest epoch in any response; views below it are stale. */
  public long highestEpoch() {
    return highestEpoch;
  }

  public void addListener(ViewListener listener) {
    listeners.add(listener);
  }

  /** Records an epoch whose view is unknown yet. */
  public void sawEpoch(long epoch) {
    if (epoch > highestEpoch) {
      synchronized (this) {
        highestEpoch = Math.max(highestEpoch, epoch);
      }
    }
  }

  /**
   * Adopts a view if it is newer than the known one and no older than any epoch seen; otherwise ignores it. Of several
   * servers, those that were configured first are preferred.
   */
  public void learn(GroupView reported) {
    GroupView view = reported.preferring(configured);
    synchronized (this) {
      if (view.epoch() <= known.view.epoch() || view.epoch() < highestEpoch || view.replicas().isEmpty()) {
        return;
      }
      highestEpoch = view.epoch();
      Set<URI> addresses = new LinkedHashSet<>();
      view.replicas().forEach(replica -> addresses.add(replica.address()));
      addresses.addAll(configured);
      known = new Known(view, List.copyOf(new ArrayList<>(addresses)));
    }
    for (ViewListener listener : listeners) {
      listener.viewChanged(view);
    }
  }
}
