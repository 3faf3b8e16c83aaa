package org.understudy.client.view;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A view as replicas report it to clients.
 *
 * @param epoch 0 for no view yet
 * @param replicas the members in the order of the view, then those outside; of several servers the preferred one first
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

  /**
   * The same view with the servers in the order of this list, before those that it does not name. Replicas that are not
   * servers keep their places.
   */
  GroupView preferring(List<URI> preferred) {
    List<ReplicaAddress> ordered = new ArrayList<>(replicas);
    List<ReplicaAddress> servers = new ArrayList<>();
    replicas.stream().filter(ReplicaAddress::isServer).forEach(servers::add);
    servers.sort(Comparator.comparingInt(server -> place(preferred, server)));
    int next = 0;
    for (int i = 0; i < ordered.size(); i++) {
      if (ordered.get(i).isServer()) {
        ordered.set(i, servers.get(next++));
      }
    }
    return new GroupView(epoch, ordered);
  }

  private static int place(List<URI> preferred, ReplicaAddress server) {
    int place = preferred.indexOf(server.address());
    return place < 0 ? preferred.size() : place;
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
