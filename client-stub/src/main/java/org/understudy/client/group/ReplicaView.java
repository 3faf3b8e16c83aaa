package org.understudy.client.group;

import java.net.URI;
import java.util.List;

/**
 * The view as a client knows it.
 *
 * @param replicas the primary first, then the senior backup, then the others
 */
record ReplicaView(long epoch, List<URI> replicas) {
  URI primary() {
    return replicas.get(0);
  }
}
