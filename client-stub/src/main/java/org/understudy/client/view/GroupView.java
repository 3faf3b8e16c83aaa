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

  /** Whether an attempt at this replica is pointless: only other replicas serve the request. */
  public boolean supersedes(URI replica) {
    for (ReplicaAddress one : replicas) {
      if (one.isServer()) {
        return !isServer(replica);
      }
    }
    return false;
  }
}
