package org.understudy.replication.runtime.inbound;

import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Connections that have not authenticated yet: one share for each configured address, and one share for all other
 * addresses. A new connection displaces the oldest of its share, so one that sends nothing, or sends slowly, keeps no other
 * out; one that has shown the secret is displaced last. Thread-safe.
 */
final class Strangers {
  /** The minimum time before a share turns over: a replica that has just started needs long for its first TLS handshake. */
  static final int MAX_OF_ADDRESS = 16;
  static final int MAX_OF_REPLICA = 16;
  static final int MAX_FOREIGN = 48;

  /** How many replicas are configured at each address. */
  private final Map<InetAddress, Integer> configured;
  private final List<PeerConnection> waiting = new ArrayList<>();

  Strangers(Map<InetAddress, Integer> configured) {
    this.configured = Map.copyOf(configured);
  }

  /** Adds it; returns the displaced connection, which the caller closes, or null. */
  synchronized PeerConnection admit(PeerConnection fresh) {
    InetAddress address = fresh.address();
    int replicas = configured.getOrDefault(address, 0);
    PeerConnection displaced = null;
    if (count(address) >= MAX_OF_ADDRESS + replicas * MAX_OF_REPLICA) {
      displaced = oldest(address);
    } else if (replicas == 0 && foreign() >= MAX_FOREIGN) {
      displaced = oldest(null);
    }
    waiting.remove(displaced);
    waiting.add(fresh);
    return displaced;
  }

  synchronized void remove(PeerConnection connection) {
    waiting.remove(connection);
  }

  boolean isConfigured(InetAddress address) {
    return configured.containsKey(address);
  }

  private int count(InetAddress address) {
    int count = 0;
    for (PeerConnection connection : waiting) {
      count += connection.address().equals(address) ? 1 : 0;
    }
    return count;
  }

  private int foreign() {
    int count = 0;
    for (PeerConnection connection : waiting) {
      count += isConfigured(connection.address()) ? 0 : 1;
    }
    return count;
  }

  /** @param address null for all addresses of which no replica is configured */
  private PeerConnection oldest(InetAddress address) {
    PeerConnection oldest = null;
    for (PeerConnection connection : waiting) {
      boolean inShare = address == null ? !isConfigured(connection.address()) : connection.address().equals(address);
      if (inShare && (oldest == null || oldest.isRecognised() && !connection.isRecognised())) {
        oldest = connection;
      }
    }
    return oldest;
  }
}
