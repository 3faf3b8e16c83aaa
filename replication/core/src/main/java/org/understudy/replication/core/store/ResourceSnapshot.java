package org.understudy.replication.core.store;

import java.util.Map;

/** What a {@link ResourceStore} held at one moment, one resource after the other, in ascending order of the keys. */
public interface ResourceSnapshot extends AutoCloseable {
  /** The next resource, or null after the last; then the snapshot is closed. */
  Map.Entry<String, StoredResource> next();

  /** Frees what the store keeps for this snapshot; it has no next resource any more. */
  @Override
  void close();
}
