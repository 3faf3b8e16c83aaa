package org.understudy.replication.runtime;

import java.util.List;
import java.util.Set;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.Assignment;

/**
 * Which replicas serve a request, as the strategy assigns it in the newest view that this replica knows. That view may be out
 * of date, and a replica that serves a class may still refuse one request of it, without a quorum for example: its core decides
 * each time. Thread-safe; every answer is a volatile read.
 */
public interface Routing {
  /** Whether this replica serves requests of this class now; false also while a view changes and outside the view. */
  boolean serves(RequestClass request);

  /** All classes that {@link #serves} affirms now, in their order. */
  Set<RequestClass> served();

  /**
   * The replicas that serve requests of this class, the preferred one first. May contain this one; empty before the first
   * view.
   */
  List<ReplicaId> servers(RequestClass request);

  /**
   * Whether other replicas serve a request of this class and this one does not. False while this replica is to serve it as soon
   * as a view change is over: its core holds such a request.
   */
  boolean isElsewhere(RequestClass request);

  /** What each replica serves, and in which view: one consistent snapshot. */
  Assignment assignment();
}
