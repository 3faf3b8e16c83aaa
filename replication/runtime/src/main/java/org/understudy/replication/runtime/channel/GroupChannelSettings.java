package org.understudy.replication.runtime.channel;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.MessageKind;

/**
 * What a group channel may need from the configuration of a replica. Each channel uses a part of it.
 *
 * @param group the group's name: replicas of other groups are never members
 * @param configured every replica of the group, this one included
 * @param messages the kinds that the strategy multicasts, with their decoders
 * @param secret known to the replicas of the group alone; a channel authenticates messages by it and never sends it
 * @param suspicion silence after which a replica is suspected
 * @param tls of this replica's connections, with its key and the certificates that it trusts; null for none
 * @param addresses where the channel of each replica listens; empty unless configured
 * @param daemon of the channel at this replica; null unless configured
 * @param safe whether daemons are to deliver a message only when every one of them has it
 */
public record GroupChannelSettings(
    String group,
    ReplicaId self,
    List<ReplicaId> configured,
    List<MessageKind> messages,
    byte[] secret,
    Duration suspicion,
    SSLContext tls,
    Map<ReplicaId, InetSocketAddress> addresses,
    InetSocketAddress daemon,
    boolean safe) {
  public GroupChannelSettings {
    configured = List.copyOf(configured);
    messages = List.copyOf(messages);
    secret = secret.clone();
    addresses = Map.copyOf(addresses);
  }

  @Override
  public byte[] secret() {
    return secret.clone();
  }
}
