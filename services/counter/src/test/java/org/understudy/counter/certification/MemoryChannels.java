package org.understudy.counter.certification;

import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.test.channel.MemoryGroups;

/** Group channels within this process. */
public final class MemoryChannels implements GroupChannelProvider {
  @Override
  public String name() {
    return "memory";
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) {
    return MemoryGroups.of(settings.group()).channel(settings.self());
  }
}
