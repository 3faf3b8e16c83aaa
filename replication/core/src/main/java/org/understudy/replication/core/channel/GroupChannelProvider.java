package org.understudy.replication.core.channel;

import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.MessageKind;

/** Opens a replica's group channel. Found with {@link java.util.ServiceLoader}. */
public interface GroupChannelProvider {
  /** As {@link GroupChannel#name}. */
  String name();

  /**
   * Creates the channel for one start of a replica; it does not join yet.
   *
   * @param group the group's name: replicas of other groups are never members
   * @param configured every replica of the group
   * @param messages the kinds that the strategy multicasts, with their decoders
   * @throws GroupChannelException when it cannot be opened, for example because an address is in use
   */
  GroupChannel open(String group, ReplicaId self, List<ReplicaId> configured, List<MessageKind> messages)
      throws GroupChannelException;
}
