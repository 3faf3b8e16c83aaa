package org.understudy.replication.runtime.routing;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.Assignment;

/**
 * The replicas that serve a request, as the strategy assigns it in the newest view that this replica knows. That view can
 * be stale, and a replica that serves a class may still refuse a request of it, for example without a quorum: its core
 * decides each time. Thread-safe; every answer is a volatile read.
 */
public interface Routing {
  /** Whether this replica serves requests of this class now; also false while a view changes and outside the view. */
  boolean serves(RequestClass request);

  /** Whether this replica executes updates now, as {@link #serves} answers. */
  default boolean servesUpdates() {
    return serves(RequestClass.UPDATE);
  }

  /** All classes for which {@link #serves} is true now, in their order. */
  Set<RequestClass> served();

  /**
   * The replicas that serve requests of this class, the preferred one first. May contain this one; empty before the first
   * view.
   */
  List<ReplicaId> servers(RequestClass request);

  /**
   * Whether only other replicas serve a request of this class. False while this replica will serve it after the current
   * view change: its core holds such a request.
   */
  boolean isElsewhere(RequestClass request);

  /** What each replica serves, and in which view: a consistent snapshot. */
  Assignment assignment();
}
