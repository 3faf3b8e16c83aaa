package org.understudy.client.invocation;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import org.understudy.client.view.GroupView;
import org.understudy.client.view.KnownViews;

/** Where one message goes next: to the primary, or round all replicas while the primary does not answer. */
final class Route {
  private final KnownViews views;
  private final List<URI> failed = new ArrayList<>(0);
  private long epoch = -1;
  private URI last;

  Route(KnownViews views) {
    this.views = views;
  }

  URI next() {
    GroupView view = views.current();
    if (view.epoch() != epoch) {
      epoch = view.epoch();
      failed.clear();
    }
    URI primary = view.primary();
    if (primary != null && !failed.contains(primary)) {
      last = primary;
    } else {
      List<URI> all = views.addresses();
      last = last == null ? all.get(0) : all.get((all.indexOf(last) + 1) % all.size());
    }
    return last;
  }

  /** Asks the others first, until a view with a higher epoch is known. */
  void avoid(URI replica) {
    if (!failed.contains(replica)) {
      failed.add(replica);
    }
  }
}
