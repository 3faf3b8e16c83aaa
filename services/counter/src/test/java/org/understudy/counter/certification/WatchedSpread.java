package org.understudy.counter.certification;

import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.understudy.channel.spread.SpreadProvider;
import org.understudy.replication.runtime.channel.GroupChannelSettings;

/** The channel over Spread, watched. Each replica of the process has a daemon of its own. */
public final class WatchedSpread extends WatchedChannels {
  static final String NAME = "watched-spread";

  /** The daemons, by replica. */
  static final Map<Integer, InetSocketAddress> DAEMONS = new ConcurrentHashMap<>();

  public WatchedSpread() {
    super(NAME, new SpreadProvider());
  }

  @Override
  GroupChannelSettings changed(GroupChannelSettings settings) {
    return new GroupChannelSettings(
        settings.group(), settings.self(), settings.configured(), settings.messages(), settings.secret(), settings.suspicion(),
        settings.tls(), settings.addresses(), DAEMONS.get(settings.self().number()), settings.safe());
  }
}
