package org.understudy.client.invocation;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;
import org.understudy.client.view.ReplicaAddress;

/**
 * Selects the replica for the next attempt: one that serves the message, or all replicas in turn while none of those
 * answers.
 */
final class ReplicaSelector {
  private final KnownViews views;
  private final Reachability reach;
  private final List<URI> failed = new ArrayList<>(0);
  private long epoch = -1;
  private URI last;
  /** Where a replica has redirected the message, until it was tried; or null. */
  private URI target;

  ReplicaSelector(KnownViews views, Reachability reach) {
    this.views = views;
    this.reach = reach;
  }

  URI next(long now) {
    GroupView view = views.current();
    if (view.epoch() != epoch) {
      epoch = view.epoch();
      failed.clear();
    }
    URI redirected = target;
    target = null;
    if (redirected != null && !failed.contains(redirected) && !reach.skips(redirected, now)) {
      last = redirected;
      return last;
    }
    List<URI> skipped = List.of();
    for (URI address : views.servers()) {
      if (!failed.contains(address)) {
        if (!reach.skips(address, now)) {
          last = address;
          return last;
        }
        skipped = skipped.isEmpty() ? new ArrayList<>(1) : skipped;
        skipped.add(address);
      }
    }
    List<URI> all = views.addresses();
    int next = last == null ? 0 : (all.indexOf(last) + 1) % all.size();
    for (int i = 1; i < all.size() && skipped.contains(all.get(next)); i++) {
      next = (next + 1) % all.size();
    }
    last = all.get(next);
    return last;
  }

  /** Whether the replica of {@link #next} is to forward to one that serves the message. */
  boolean isDetour(long now) {
    GroupView view = views.current();
    boolean cutOff = false;
    for (ReplicaAddress replica : view.replicas()) {
      if (replica.isServer()) {
        if (replica.address().equals(last) || !reach.isCutOff(replica.address(), now)) {
          return false;
        }
        cutOff = true;
      }
    }
    return cutOff;
  }

  /** The next attempt goes to this replica, unless it has failed. */
  void redirect(URI replica) {
    target = replica;
  }

  /** Prefers the other replicas until a view with a higher epoch is known. */
  void avoid(URI replica) {
    if (!failed.contains(replica)) {
      failed.add(replica);
    }
  }
}
