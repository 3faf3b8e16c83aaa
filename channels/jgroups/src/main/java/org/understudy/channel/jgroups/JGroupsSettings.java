package org.understudy.channel.jgroups;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import org.understudy.replication.api.ReplicaId;

/**
 * The settings of one replica's channel over JGroups.
 *
 * @param group the group's name
 * @param addresses where JGroups of each replica, this one included, listens; host names are resolved when a channel is opened and
 *     again while members are looked for, and only this replica's must be known at first
 * @param secret known to the replicas of the group alone; authenticates all messages and is never sent
 * @param tls for all connections, with certificates on both sides; null only if every address is a loopback address
 * @param suspicion a member that is silent for this long leaves the view
 * @param maxWaitingBytes of messages that are not sent yet, and of events that arrived and are not processed yet; one more of either
 *     ends the channel
 */
public record JGroupsSettings(
    String group,
    ReplicaId self,
    Map<ReplicaId, InetSocketAddress> addresses,
    byte[] secret,
    SSLContext tls,
    Duration suspicion,
    long maxWaitingBytes) {
  /** The default of {@code maxWaitingBytes}: 64 MB. */
  public static final long MAX_WAITING_BYTES = 64L << 20;

  public JGroupsSettings {
    addresses = Map.copyOf(addresses);
    secret = secret.clone();
  }

  @Override
  public byte[] secret() {
    return secret.clone();
  }

  List<ReplicaId> configured() {
    return addresses.keySet().stream().sorted().toList();
  }
}
