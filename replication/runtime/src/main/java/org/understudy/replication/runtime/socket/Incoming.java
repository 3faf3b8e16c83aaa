package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.util.List;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.inbound.PeerConnection;
import org.understudy.replication.runtime.peer.PeerReceiver;

/** Receives on one connection that a peer has made: delivers its frames and answers its pings. For one thread. */
final class Incoming {
  private final ReplicaId peer;
  private final PeerConnection connection;
  private final FrameReader frames;
  private final PeerSession session;
  private final OutputStream out;
  private final PeerReceiver receiver;
  private final Object turn;
  private final byte[] pong = new byte[4 + FrameSeal.TAG_BYTES];

  Incoming(
      ReplicaId peer,
      PeerConnection connection,
      FrameReader frames,
      PeerSession session,
      OutputStream out,
      PeerReceiver receiver) {
    this.peer = peer;
    this.connection = connection;
    this.frames = frames;
    this.session = session;
    this.out = out;
    this.receiver = receiver;
    this.turn = connection.turn();
  }

  /**
   * Blocks until a frame has arrived, and handles it.
   *
   * @return false at the end of the connection
   */
  boolean next() throws IOException {
    if (!frames.next()) {
      return false;
    }
    connection.received();
    if (frames.length() == 0) {
      session.outgoing().seal(Frame.EMPTY.digest(session.outgoingContent()), pong, 4);
      out.write(pong);
      out.flush();
      return true;
    }
    List<Message> messages = receiver.format().readAll(frames.bytes(), frames.offset(), frames.length());
    synchronized (turn) {
      if (!connection.isCurrent()) {
        return false;
      }
      receiver.received(peer, messages, null);
    }
    return true;
  }
}
