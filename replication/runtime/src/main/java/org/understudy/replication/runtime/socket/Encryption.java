package org.understudy.replication.runtime.socket;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;

/** TLS between a connection's bytes and the network's, without a socket of its own. Not thread-safe. */
final class Encryption {
  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  private final SSLEngine engine;
  private final int packetBytes;
  /** Encrypted bytes that have arrived; ready for reading. */
  private ByteBuffer received;

  Encryption(SSLEngine engine) {
    this.engine = engine;
    this.packetBytes = engine.getSession().getPacketBufferSize();
    this.received = ByteBuffer.allocate(2 * packetBytes).flip();
  }

  int packetBytes() {
    return packetBytes;
  }

  /** The buffer for bytes from the network; call {@link #arrived} after adding some. */
  ByteBuffer intake() {
    return received.compact();
  }

  void arrived() {
    received.flip();
  }

  /** Encrypts all that remains in the parts. */
  ByteBuffer encrypt(ByteBuffer... parts) throws IOException {
    long plain = 0;
    for (ByteBuffer part : parts) {
      plain += part.remaining();
    }
    ByteBuffer target = ByteBuffer.allocate((int) (plain + plain / 64) + 2 * packetBytes);
    while (plain > 0) {
      if (target.remaining() < packetBytes) {
        target = ByteBuffer.allocate(2 * target.capacity()).put(target.flip());
      }
      SSLEngineResult result = engine.wrap(parts, target);
      if (result.getStatus() != Status.OK || result.bytesProduced() == 0) {
        throw new IOException("TLS cannot send any more: " + result.getStatus() + ".");
      }
      plain -= result.bytesConsumed();
    }
    return target.flip();
  }

  /**
   * Decrypts what has arrived.
   *
   * @param target has room for a packet
   * @return false when more bytes are needed
   */
  boolean decrypt(ByteBuffer target) throws IOException {
    while (received.hasRemaining()) {
      int before = target.position();
      SSLEngineResult result = engine.unwrap(received, target);
      Status status = open(result);
      if (status == Status.BUFFER_UNDERFLOW) {
        return false;
      }
      if (status == Status.BUFFER_OVERFLOW) {
        throw new IOException("A TLS packet is too long.");
      }
      runTasks();
      if (target.position() > before) {
        return true;
      }
    }
    return false;
  }

  /** The network as the handshake uses it. */
  interface Network {
    void write(ByteBuffer bytes) throws IOException;

    /** Adds at least one arrived byte to {@link #intake}. */
    void read() throws IOException;
  }

  void handshake(Network network) throws IOException {
    engine.beginHandshake();
    while (true) {
      HandshakeStatus status = engine.getHandshakeStatus();
      if (status == HandshakeStatus.NOT_HANDSHAKING || status == HandshakeStatus.FINISHED) {
        return;
      }
      if (status == HandshakeStatus.NEED_TASK) {
        runTasks();
      } else if (status == HandshakeStatus.NEED_WRAP) {
        ByteBuffer packet = ByteBuffer.allocate(packetBytes);
        open(engine.wrap(NOTHING, packet));
        network.write(packet.flip());
      } else if (open(engine.unwrap(received, ByteBuffer.allocate(packetBytes))) == Status.BUFFER_UNDERFLOW) {
        network.read();
      }
    }
  }

  private static Status open(SSLEngineResult result) throws EOFException {
    if (result.getStatus() == Status.CLOSED) {
      throw new EOFException("The other end has closed the connection.");
    }
    return result.getStatus();
  }

  private void runTasks() {
    Runnable task = engine.getDelegatedTask();
    while (task != null) {
      task.run();
      task = engine.getDelegatedTask();
    }
  }
}
