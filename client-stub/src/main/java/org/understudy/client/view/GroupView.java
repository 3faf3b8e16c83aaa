package org.understudy.client.view;

import java.net.URI;
import java.util.List;

/**
 * A view as replicas report it to clients.
 *
 * @param epoch 0 for no view yet
 * @param replicas the members in the order of the view, then those outside
 */
public record GroupView(long epoch, List<ReplicaAddress> replicas) {
  public static final GroupView NONE = new GroupView(0, List.of());

  public GroupView {
    replicas = List.copyOf(replicas);
  }

  /** The destinations of requests, the preferred replica first; empty when this view does not state them. */
  public List<URI> servers() {
    return replicas.stream().filter(ReplicaAddress::isServer).map(ReplicaAddress::address).toList();
  }

  /** Whether the replica at this address is one of the {@link #servers}. */
  public boolean isServer(URI replica) {
    for (ReplicaAddress one : replicas) {
      if (one.isServer() && one.address().equals(replica)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether an attempt at this address, begun in an earlier view, is pointless: only other replicas serve the request, or the address
   * is that of a load balancer and it may have given the request to a replica that is not a member.
   */
  public boolean supersedes(URI replica) {
    if (replicas.stream().noneMatch(ReplicaAddress::isServer)) {
      return false;
    }
    List<ReplicaAddress> there = replicas.stream().filter(one -> one.address().equals(replica)).toList();
    return there.stream().noneMatch(ReplicaAddress::isServer) || there.stream().anyMatch(one -> !one.member());
  }
}
