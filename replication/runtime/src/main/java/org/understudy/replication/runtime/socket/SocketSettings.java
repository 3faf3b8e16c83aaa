package org.understudy.replication.runtime.socket;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.PeerTls;

/**
 * The settings of the transfer mode socket.
 *
 * @param credentials of this replica, and the configuration to compare with its peers
 * @param addresses where each replica, this one included, listens for its peers
 * @param tls null for plain connections, whose frames are authenticated but readable
 * @param suspicion a connection that is silent for this long is closed and replaced
 * @param maxFrameBytes a longer frame ends the connection
 * @param maxQueuedBytes the backlog for one slow peer before messages are dropped
 */
public record SocketSettings(
    Credentials credentials,
    Map<ReplicaId, InetSocketAddress> addresses,
    PeerTls tls,
    Duration suspicion,
    int maxFrameBytes,
    long maxQueuedBytes) {
  ReplicaId self() {
    return credentials.self();
  }
}
