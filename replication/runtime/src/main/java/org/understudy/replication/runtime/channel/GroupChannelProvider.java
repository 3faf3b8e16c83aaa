package org.understudy.replication.runtime.channel;

import org.understudy.replication.core.channel.GroupChannel;

/** Opens a replica's group channel. Found with {@link java.util.ServiceLoader}. */
public interface GroupChannelProvider {
  /** As {@link GroupChannel#name}; the value of {@code understudy.channel} that chooses it. */
  String name();

  /**
   * Creates a channel for one life of a replica; it does not join yet.
   *
   * @throws GroupChannelException when it cannot be opened, for example because a setting is missing
   */
  GroupChannel open(GroupChannelSettings settings) throws GroupChannelException;
}
