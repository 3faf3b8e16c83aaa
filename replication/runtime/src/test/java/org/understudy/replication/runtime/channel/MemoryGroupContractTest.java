package org.understudy.replication.runtime.channel;

import java.util.HashMap;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.test.channel.GroupChannelContract;
import org.understudy.test.channel.MemoryGroup;

/** The contract of a group channel, for the one in memory. */
class MemoryGroupContractTest extends GroupChannelContract {
  private final Map<String, MemoryGroup> groups = new HashMap<>();

  @Override
  protected GroupChannel channel(String group, ReplicaId self) {
    return groups.computeIfAbsent(group, any -> new MemoryGroup()).channel(self);
  }
}
