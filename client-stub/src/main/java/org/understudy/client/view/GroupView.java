package org.understudy.client.view;

import java.net.URI;
import java.util.List;

/**
 * A view as replicas tell it to clients.
 *
 * @param epoch 0 is "no view yet"
 * @param replicas primary first, then the senior backup, then the others
 */
public record GroupView(long epoch, List<ReplicaAddress> replicas) {
  public static final GroupView NONE = new GroupView(0, List.of());

  public GroupView {
    replicas = List.copyOf(replicas);
  }

  /** Where updates go, or null when this view does not say. */
  public URI primary() {
    return !replicas.isEmpty() && replicas.get(0).isPrimary() ? replicas.get(0).address() : null;
  }
}
