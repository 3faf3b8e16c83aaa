package org.understudy.channel.spread;

import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.replication.core.channel.GroupChannel;
import org.understudy.replication.core.wire.WireVersions;
import org.understudy.replication.runtime.channel.GroupChannelProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;
import org.understudy.replication.runtime.codec.MessageFormat;

/** Installs the group channel {@code spread}. */
public final class SpreadProvider implements GroupChannelProvider {
  /** The value of {@code understudy.channel}. */
  static final String NAME = "spread";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public GroupChannel open(GroupChannelSettings settings) {
    return new SpreadChannel(used(settings), new MessageFormat(settings.messages(), WireVersions.CURRENT));
  }

  static SpreadSettings used(GroupChannelSettings settings) {
    return new SpreadSettings(
        settings.daemon(), settings.group(), settings.self(), settings.configured(), settings.secret(),
        settings.safe() ? ServiceLevel.SAFE : ServiceLevel.AGREED, SpreadSettings.MAX_WAITING_BYTES);
  }
}
