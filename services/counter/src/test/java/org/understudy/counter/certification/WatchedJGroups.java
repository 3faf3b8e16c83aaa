package org.understudy.counter.certification;

import org.understudy.channel.jgroups.JGroupsProvider;

/** The channel over JGroups, watched. */
public final class WatchedJGroups extends WatchedChannels {
  static final String NAME = "watched-jgroups";

  public WatchedJGroups() {
    super(NAME, new JGroupsProvider());
  }
}
