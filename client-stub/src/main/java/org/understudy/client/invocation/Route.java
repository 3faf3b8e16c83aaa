package org.understudy.client.invocation;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;

/** Where one message goes next: to the primary, or round all replicas while the primary does not answer. */
final class Route {
  private final KnownViews views;
  private final Reachability reach;
  private final List<URI> failed = new ArrayList<>(0);
  private long epoch = -1;
  private URI last;

  Route(KnownViews views, Reachability reach) {
    this.views = views;
    this.reach = reach;
  }

  URI next(long now) {
    GroupView view = views.current();
    if (view.epoch() != epoch) {
      epoch = view.epoch();
      failed.clear();
    }
    URI primary = view.primary();
    boolean skipped = primary != null && !failed.contains(primary) && reach.skips(primary, now);
    if (primary != null && !failed.contains(primary) && !skipped) {
      last = primary;
      return last;
    }
    List<URI> all = views.addresses();
    int next = last == null ? 0 : (all.indexOf(last) + 1) % all.size();
    if (skipped && all.get(next).equals(primary)) {
      next = (next + 1) % all.size();
    }
    last = all.get(next);
    return last;
  }

  /** Whether the replica of {@link #next} is to forward to the primary. */
  boolean isDetour(long now) {
    URI primary = views.current().primary();
    return primary != null && !primary.equals(last) && reach.isCutOff(primary, now);
  }

  /** Asks the others first, until a view with a higher epoch is known. */
  void avoid(URI replica) {
    if (!failed.contains(replica)) {
      failed.add(replica);
    }
  }
}
