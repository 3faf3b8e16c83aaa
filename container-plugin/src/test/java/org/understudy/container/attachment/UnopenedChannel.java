package org.understudy.container.attachment;

import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.thread.DaemonThreads;

/** A group channel that cannot be opened, with the name that its thread would have as the reason. */
public final class UnopenedChannel implements GroupChannelProvider {
  static final String NAME = "unopened";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) throws GroupChannelException {
    throw new GroupChannelException("The thread is " + DaemonThreads.daemon("channel", () -> {}).getName() + ".", null);
  }
}
