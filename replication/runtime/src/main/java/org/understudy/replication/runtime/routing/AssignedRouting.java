package org.understudy.replication.runtime.routing;

import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.core.Assignment;

/** The routing that follows from a replica's current standing. */
public final class AssignedRouting implements Routing {
  private final ReplicaId self;
  private final Supplier<Standing> standing;

  public AssignedRouting(ReplicaId self, Supplier<Standing> standing) {
    this.self = self;
    this.standing = standing;
  }

  @Override
  public boolean serves(RequestClass request) {
    Standing now = standing.get();
    return now.active() && now.assignment().servers(request).contains(self);
  }

  @Override
  public Set<RequestClass> served() {
    Standing now = standing.get();
    return now.active() ? now.assignment().servedBy(self) : Set.of();
  }

  @Override
  public List<ReplicaId> servers(RequestClass request) {
    return assignment().servers(request);
  }

  @Override
  public boolean isElsewhere(RequestClass request) {
    List<ReplicaId> servers = servers(request);
    return !servers.isEmpty() && !servers.contains(self);
  }

  @Override
  public Assignment assignment() {
    return standing.get().assignment();
  }
}
