package org.understudy.replication.core.session;

import java.util.Map;
import org.understudy.replication.core.store.Holdings;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.ResourceSnapshot;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.store.StoredResource;

/** The resources of a snapshot as items, except those that a joiner holds already. */
final class ResourceItems implements StateItems {
  /** One call examines at most this many, so that no step takes long. */
  private static final int MAX_SKIPPED = 1_000;

  private final ResourceSnapshot resources;
  private final Holdings.Cursor held;
  private final boolean owners;
  private final boolean versions;

  /**
   * @param owners whether the resources include the owner that pays for them
   * @param versions whether they include their versions
   */
  ResourceItems(ResourceSnapshot resources, Holdings held, boolean owners, boolean versions) {
    this.resources = resources;
    this.held = held.cursor();
    this.owners = owners;
    this.versions = versions;
  }

  @Override
  public Item next() {
    Map.Entry<String, StoredResource> next = resources.next();
    for (int skipped = 1; next != null && held.has(next.getKey(), next.getValue().version()); skipped++) {
      if (skipped == MAX_SKIPPED) {
        return new Item.Held(next.getKey());
      }
      next = resources.next();
    }
    if (next == null) {
      return null;
    }
    StoredResource resource = next.getValue();
    return new Item.Resource(
        next.getKey(), owners ? resource.owner() : 0, versions ? resource.version() : 0, resource.state());
  }

  @Override
  public void close() {
    resources.close();
  }
}
