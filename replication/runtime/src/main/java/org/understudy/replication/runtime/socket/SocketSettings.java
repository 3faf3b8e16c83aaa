package org.understudy.replication.runtime.socket;

import java.net.InetSocketAddress;
import java.util.Map;
import org.understudy.replication.api.ReplicaId;

/**
 * @param group its name; replicas of another group are refused
 * @param addresses where each replica, this one among them, listens for its peers
 * @param secret what proves a peer
 * @param maxFrameBytes a longer frame ends the connection
 * @param maxQueuedBytes what waits for one slow peer before messages are dropped
 */
public record SocketSettings(
    ReplicaId self,
    String group,
    Map<ReplicaId, InetSocketAddress> addresses,
    byte[] secret,
    int maxFrameBytes,
    long maxQueuedBytes) {}
