package org.understudy.replication.runtime.inbound;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;

/** One connection that was made to this replica. The host reports how far it trusts it. */
public final class PeerConnection {
  private static final Logger LOG = LoggerFactory.getLogger(PeerConnection.class);

  private final PeerServer server;
  private final Socket raw;
  private final InetAddress address;
  private volatile Socket socket;
  private volatile long heard = System.nanoTime();
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

  /** The other end has shown that it knows the secret, maybe by a copy of somebody's words: it is kept before others. */
  public void recognise() {
    recognised = true;
  }

  boolean isRecognised() {
    return recognised;
  }

  /**
   * The other end has proven that it is this peer, now. Takes the time limit of the handshake away and closes the peer's
   * earlier connection.
   */
  public void prove(ReplicaId proven) {
    heard = System.nanoTime();
    peer = proven;
    server.proven(this, proven);
    Thread.currentThread().setName("understudy-from-" + proven);
  }

  /** Null until it has proven itself. */
  ReplicaId peer() {
    return peer;
  }

  /** Something came that only the peer can have sent. */
  public void heard() {
    heard = System.nanoTime();
  }

  void restart(long now) {
    heard = now;
  }

  long heardAt() {
    return heard;
  }

  /** Whether this is the peer's latest connection; what comes on an earlier one is out of order. */
  public boolean isCurrent() {
    return peer != null && server.isCurrent(this, peer);
  }

  /**
   * What is to be held while a message of the peer is handed over, after a look at {@link #isCurrent}: the next connection's
   * messages come after it.
   */
  public Object turn() {
    return server.turn(peer);
  }

  /** Ends it from outside of its thread. The socket below TLS is closed, which never waits for a writer. */
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
