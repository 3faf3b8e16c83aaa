package org.understudy.channel.jgroups;

import java.net.InetSocketAddress;
import java.util.List;
import org.jgroups.protocols.FD_ALL3;
import org.jgroups.protocols.MERGE3;
import org.jgroups.protocols.TCP;
import org.jgroups.protocols.TCPPING;
import org.jgroups.protocols.UNICAST3;
import org.jgroups.protocols.VERIFY_SUSPECT2;
import org.jgroups.protocols.pbcast.GMS;
import org.jgroups.protocols.pbcast.NAKACK2;
import org.jgroups.protocols.pbcast.STABLE;
import org.jgroups.stack.Protocol;
import org.jgroups.util.TLS;
import org.jgroups.util.TLSClientAuth;

/**
 * The protocols of JGroups that the channel uses: connections, membership and reliable messages. Neither flow control nor fragments,
 * because the channel bounds what is in flight, and no sequencer, because SEQUENCER loses messages when its member crashes.
 */
final class Stack {
  /** The longest message: what members lack after a crash travels as one. */
  static final int MAX_MESSAGE_BYTES = 64 << 20;

  /** A longest message, and as much again: memory for one that arrives is doubled by copying. */
  static final long MAX_UNCHECKED_BYTES = 2L * MAX_MESSAGE_BYTES;

  /** Between two attempts to find the others. */
  private static final long MAX_SEARCH_MS = 1_000;
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private Stack() {}

  /**
   * @param cluster the name of the cluster
   * @param own address of this replica
   */
  static List<Protocol> of(JGroupsSettings settings, String cluster, InetSocketAddress own, ReplicaAddresses addresses) {
    long suspicionMs = settings.suspicion().toMillis();
    // Who tolerates a long silence need not look for others rarely: replicas that have not found each other at the start would wait for it.
    long searchMs = Math.min(suspicionMs, MAX_SEARCH_MS);
    TCP transport = new PeerTcp(settings.self(), cluster);
    transport.setBindAddr(own.getAddress());
    transport.setBindPort(own.getPort());
    transport.setPortRange(0);
    // JGroups' default waits 40 ms for acknowledgements of TCP.
    transport.tcpNodelay(true);
    transport.setMaxLength(MAX_MESSAGE_BYTES);
    transport.enableSuspectEvents(true);
    transport.useVirtualThreads(false);
    // The channel packs what waits itself.
    transport.setBundlerType("no-bundler");
    // The thread that has read a message passes it to the channel; the default wakes a thread of a pool for it.
    transport.setMessageProcessingPolicy("direct");
    // What members have not acknowledged yet fits, so that a write does not wait for a slow one.
    transport.setSendBufSize(SEND_BUFFER_BYTES);
    transport.setSockConnTimeout((int) Math.max(1, suspicionMs / 4));
    if (settings.tls() != null) {
      transport.tls(
          new TLS().enabled(true).setSSLContext(settings.tls()).setProtocols(new String[] {"TLSv1.3"})
              .setClientAuth(TLSClientAuth.NEED));
    }
    TCPPING discovery = new PeerPing(addresses);
    discovery.setPortRange(0);
    return List.of(
        transport,
        discovery,
        new MERGE3().setMinInterval(searchMs).setMaxInterval(2 * searchMs),
        new FD_ALL3().setTimeout(suspicionMs).setInterval(Math.max(1, suspicionMs / 4)),
        new VERIFY_SUSPECT2().setTimeout(Math.max(1, suspicionMs / 2)),
        new NAKACK2(),
        new UNICAST3(),
        new STABLE(),
        new GMS().printLocalAddress(false).setJoinTimeout(searchMs));
  }
}
