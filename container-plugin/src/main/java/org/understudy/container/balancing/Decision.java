package org.understudy.container.balancing;

import org.understudy.replication.api.ReplicaId;

/** Where a request is served. */
public sealed interface Decision {
  /** Here, up to the limit on requests in progress. */
  record Serve() implements Decision {
    static final Serve HERE = new Serve();
  }

  /** At another replica, to which the client sends the request itself. */
  record Redirect(ReplicaId to) implements Decision {}

  /** At another replica, to which this one sends the request. */
  record Forward(ReplicaId to) implements Decision {}
}
