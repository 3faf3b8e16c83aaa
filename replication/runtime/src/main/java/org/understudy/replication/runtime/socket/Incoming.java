package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.codec.MessageWriter;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.inbound.PeerConnection;
import org.understudy.replication.runtime.peer.PeerReceiver;

/**
 * Receives on one connection that a peer has made: delivers its frames, and answers its pings and the frames that ask for it. For one
 * thread.
 */
final class Incoming {
  /** A longer answer travels on this replica's own connection. An acknowledgement is shorter. */
  static final int MAX_ANSWER_BYTES = 900;

  private static final Logger LOG = LoggerFactory.getLogger(Incoming.class);

  private final ReplicaId peer;
  private final PeerConnection connection;
  private final FrameReader frames;
  private final PeerSession session;
  private final OutputStream out;
  private final PeerReceiver receiver;
  /** Sends to the peer on this replica's own connection. */
  private final Consumer<List<Message>> channel;
  private final Consumer<List<Message>> answer = this::answer;
  private final Object turn;
  /** Whether the frame that is handled waits for an answer. */
  private boolean asked;
  private IOException failure;
  private final byte[] pong = new byte[4 + FrameSeal.TAG_BYTES];

  Incoming(
      ReplicaId peer,
      PeerConnection connection,
      FrameReader frames,
      PeerSession session,
      OutputStream out,
      PeerReceiver receiver,
      Consumer<List<Message>> channel) {
    this.peer = peer;
    this.connection = connection;
    this.frames = frames;
    this.session = session;
    this.out = out;
    this.receiver = receiver;
    this.channel = channel;
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
    asked = frames.isAsking();
    if (frames.length() == 0 && !asked) {
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
      receiver.received(peer, messages, asked ? answer : null);
    }
    if (asked) {
      answer(List.of());
    }
    if (failure != null) {
      throw failure;
    }
    return true;
  }

  /**
   * Answers on the connection of the question. The peer reads there while it waits, so that no thread is woken in between. Does not block:
   * the peer asks again only when it has the last answer, so the socket's buffer is empty.
   */
  private void answer(List<Message> messages) {
    asked = false;
    try {
      write(encoded(messages));
    } catch (IOException e) {
      failure = e;
    } catch (RuntimeException | Error e) {
      // The peer may have half an answer, and waits for it. The caller is a step, to which this is one effect of several.
      failure = new IOException("An answer could not be sent.", e);
      LOG.error("The connection of replica {} ends, because an answer to it failed.", peer, e);
    }
  }

  /** The answer as a frame whose first and last bytes are free. */
  private byte[] encoded(List<Message> messages) {
    MessageWriter writer = new MessageWriter(4);
    for (int i = 0; i < messages.size(); i++) {
      writer.write(messages.get(i));
      if (writer.size() > 4 + MAX_ANSWER_BYTES) {
        channel.accept(messages);
        writer = new MessageWriter(4);
        break;
      }
    }
    return writer.toBytes(FrameSeal.TAG_BYTES);
  }

  /** @param frame its first four bytes are free, and those of the tag */
  private void write(byte[] frame) throws IOException {
    int end = frame.length - FrameSeal.TAG_BYTES;
    int bytes = end - 4;
    ByteBuffer.wrap(frame).putInt(bytes | Frame.MARK);
    session.outgoingContent().update(frame, 4, bytes);
    session.outgoing().seal(session.outgoingContent().digest(), true, frame, end);
    out.write(frame);
    out.flush();
  }
}
