package org.understudy.channel.jgroups;

import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.channel.GroupChannelException;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.replication.runtime.codec.MessageFormat;

/** Installs the group channel {@code jgroups}. */
public final class JGroupsProvider implements GroupChannelProvider {
  /** The value of {@code understudy.channel}. */
  static final String NAME = "jgroups";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) throws GroupChannelException {
    if (settings.addresses().isEmpty()) {
      throw new GroupChannelException(
          "The JGroups channel of replica " + settings.self()
              + " cannot be opened, because understudy.channel.jgroups.addresses is missing: set the host and port where JGroups of each"
              + " replica listens, as 1=host:port,2=….", null);
    }
    return new JGroupsChannel(
        new JGroupsSettings(
            settings.group(), settings.self(), settings.addresses(), settings.secret(), settings.tls(), settings.suspicion(),
            JGroupsSettings.MAX_WAITING_BYTES),
        new MessageFormat(settings.messages(), WireVersions.CURRENT));
  }
}
