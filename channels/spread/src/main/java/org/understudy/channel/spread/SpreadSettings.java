package org.understudy.channel.spread;

import java.net.InetSocketAddress;
import java.util.List;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.replication.api.ReplicaId;

/**
 * The settings of one replica's channel over Spread.
 *
 * @param daemon where this replica's daemon accepts sessions; unresolved addresses are resolved at each attempt to connect
 * @param group the group's name
 * @param configured every replica of the group; sessions of others are never members
 * @param secret known to the replicas of the group alone; authenticates their frames and is never sent
 * @param service of the messages
 * @param maxWaitingBytes of messages that the daemon has not accepted yet; one more ends the channel
 */
public record SpreadSettings(
    InetSocketAddress daemon,
    String group,
    ReplicaId self,
    List<ReplicaId> configured,
    byte[] secret,
    ServiceLevel service,
    long maxWaitingBytes) {
  /** The default of {@code maxWaitingBytes}: 64 MB. */
  public static final long MAX_WAITING_BYTES = 64L << 20;

  public SpreadSettings {
    configured = List.copyOf(configured);
    secret = secret.clone();
  }

  @Override
  public byte[] secret() {
    return secret.clone();
  }

  /** How Spread's users write the address. */
  String daemonName() {
    return daemon.getPort() + "@" + daemon.getHostString();
  }
}
