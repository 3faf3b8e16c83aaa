package org.understudy.replication.core.session;

import java.util.Iterator;
import java.util.Map;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.ResourceSnapshot;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.store.StoredResource;

/** A {@link ReplicatedState} as of one update: its resources, then its reply table. Handed out item by item. */
final class StateSnapshot implements StateItems {
  private final ResourceSnapshot resources;
  private final boolean owners;
  private final Iterator<Item> replies;

  /** @param owners whether the items say in whose share they count */
  StateSnapshot(ResourceSnapshot resources, boolean owners, Iterator<Item> replies) {
    this.resources = resources;
    this.owners = owners;
    this.replies = replies;
  }

  @Override
  public Item next() {
    Map.Entry<String, StoredResource> next = resources.next();
    if (next == null) {
      return replies.hasNext() ? replies.next() : null;
    }
    StoredResource resource = next.getValue();
    return new Item.Resource(next.getKey(), owners ? resource.owner() : 0, resource.state());
  }

  @Override
  public void close() {
    resources.close();
  }
}
