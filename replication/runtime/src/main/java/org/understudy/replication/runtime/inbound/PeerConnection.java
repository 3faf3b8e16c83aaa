package org.understudy.replication.runtime.inbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;

/** One connection that was made to this replica. The protocol handler reports how far the connection is authenticated. */
public final class PeerConnection {
  private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);

  private final PeerServer server;
  private final Socket raw;
  private final InetAddress address;
  private volatile Socket socket;
  private volatile long lastReceived = System.nanoTime();
  private volatile boolean recognised;
  private volatile ReplicaId peer;
  private volatile String ended;

  PeerConnection(PeerServer server, Socket raw) {
    this.server = server;
    this.raw = raw;
    this.address = raw.getInetAddress();
    this.socket = raw;
  }

  /** Reads and writes block; over TLS where peers are configured so. */
  public Socket socket() {
    return socket;
  }

  void secured(Socket tls) {
    socket = tls;
  }

  /** For log lines. */
  public Object remoteAddress() {
    return raw.getRemoteSocketAddress();
  }

  InetAddress address() {
    return address;
  }

  /** Reports that the other end knows the secret, possibly by a replay: the connection is displaced after others. */
  public void recognise() {
    recognised = true;
  }

  boolean isRecognised() {
    return recognised;
  }

  /**
   * Reports that the other end has proven to be this peer, now. Removes the time limit of the handshake and closes the
   * peer's earlier connection.
   */
  public void prove(ReplicaId proven) {
    lastReceived = System.nanoTime();
    peer = proven;
    server.proven(this, proven);
    Thread.currentThread().setName("understudy-from-" + proven);
  }

  /** Null until authenticated. */
  ReplicaId peer() {
    return peer;
  }

  /** Reports a message that only the peer can have sent. */
  public void received() {
    lastReceived = System.nanoTime();
  }

  void restart(long now) {
    lastReceived = now;
  }

  long lastReceivedAt() {
    return lastReceived;
  }

  /** Whether this is the peer's latest connection; messages on an earlier one are out of order. */
  public boolean isCurrent() {
    return peer != null && server.isCurrent(this, peer);
  }

  /**
   * The lock to hold while a message of the peer is delivered, after checking {@link #isCurrent}: messages of the next
   * connection come after it.
   */
  public Object turn() {
    return server.turn(peer);
  }

  /** Ends the connection from another thread. Closes the socket below TLS, which never waits for a writer. */
  void end(String why) {
    if (ended == null) {
      ended = why;
    }
    try {
      raw.close();
    } catch (IOException e) {
      LOG.debug("The connection of {} did not close cleanly.", remoteAddress(), e);
    }
  }

  /** Why this replica ended it, or null. */
  String ended() {
    return ended;
  }
}
