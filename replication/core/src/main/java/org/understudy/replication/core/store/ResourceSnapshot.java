package org.understudy.replication.core.store;

import java.util.Map;

/** A snapshot of a {@link ResourceStore}, read one resource after the other in ascending order of the keys. */
public interface ResourceSnapshot extends AutoCloseable {
  /** The next resource, or null after the last, which closes the snapshot. */
  Map.Entry<String, StoredResource> next();

  /** Frees the memory that the store keeps for this snapshot; there is no next resource any more. */
  @Override
  void close();
}
