package org.understudy.replication.core.session;

import java.util.Iterator;
import java.util.Map;
import org.understudy.replication.core.store.Item;
import org.understudy.replication.core.store.ResourceSnapshot;
import org.understudy.replication.core.store.StateItems;
import org.understudy.replication.core.store.StoredResource;

/** A {@link GroupState} as of one update: its resources, its reply table, then what certifies updates. Handed out item by item. */
final class StateSnapshot implements StateItems {
  private final ResourceSnapshot resources;
  private final boolean owners;
  private final StateItems replies;
  private final boolean withReplies;
  private final Iterator<Item> certification;

  /**
   * @param owners whether the resources include the owner that pays for them
   * @param withReplies whether the reply table has more than its sessions; false for a mutant
   * @param certification what certifies updates
   */
  StateSnapshot(
      ResourceSnapshot resources,
      boolean owners,
      StateItems replies,
      boolean withReplies,
      Iterator<Item> certification) {
    this.resources = resources;
    this.owners = owners;
    this.replies = replies;
    this.withReplies = withReplies;
    this.certification = certification;
  }

  @Override
  public Item next() {
    Map.Entry<String, StoredResource> next = resources.next();
    if (next == null) {
      Item item = replies.next();
      while (item != null && !withReplies && !(item instanceof Item.Session)) {
        item = replies.next();
      }
      return item != null || !certification.hasNext() ? item : certification.next();
    }
    StoredResource resource = next.getValue();
    return new Item.Resource(next.getKey(), owners ? resource.owner() : 0, resource.state());
  }

  @Override
  public void close() {
    resources.close();
    replies.close();
  }
}
