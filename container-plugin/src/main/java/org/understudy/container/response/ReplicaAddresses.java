package org.understudy.container.response;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.api.RequestClass;
import org.understudy.replication.api.View;
import org.understudy.replication.core.Assignment;
import org.understudy.replication.soap.ListedReplica;
import org.understudy.replication.soap.ListedView;

/** Renders a view for clients. */
public final class ReplicaAddresses {
  private ReplicaAddresses() {}

  /**
   * Returns all replicas with the request classes they serve and a role: members in the order of the view, then the others. The
   * role is for clients that know only roles: they send requests to the primary, which is the preferred server of updates.
   *
   * @param url of the service at a replica
   */
  public static ListedView of(
      Assignment assignment, Collection<ReplicaId> configured, Function<ReplicaId, String> url) {
    View view = assignment.view();
    List<ReplicaId> servers = assignment.servers(RequestClass.UPDATE);
    List<ListedReplica> addresses = new ArrayList<>();
    String next = "senior";
    for (ReplicaId member : view.members()) {
      String serves = assignment.servedBy(member).stream().map(RequestClass::wireName).collect(Collectors.joining(" "));
      boolean primary = !servers.isEmpty() && member.equals(servers.get(0));
      addresses.add(new ListedReplica(member.number(), primary ? "primary" : next, serves, url.apply(member)));
      next = primary ? next : "backup";
    }
    for (ReplicaId other : configured) {
      if (!view.contains(other)) {
        addresses.add(new ListedReplica(other.number(), "none", "", url.apply(other)));
      }
    }
    return new ListedView(assignment.epoch(), addresses);
  }
}
