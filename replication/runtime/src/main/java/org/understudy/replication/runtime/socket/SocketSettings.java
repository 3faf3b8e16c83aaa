package org.understudy.replication.runtime.socket;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.PeerTls;

/**
 * What the transfer mode socket needs to know.
 *
 * @param credentials how this replica proves itself, and what is compared with its peers
 * @param addresses where each replica, this one among them, listens for its peers
 * @param tls null for plain connections, whose frames are authenticated but can be read
 * @param suspicion a connection that is silent for so long is closed and made anew
 * @param maxFrameBytes a longer frame ends the connection
 * @param maxQueuedBytes what waits for one slow peer before messages are dropped
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
