package org.understudy.replication.runtime.socket;

import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.PeerSession;

/** Connects, and exchanges the messages of the handshake, with time limits. For one thread, before the connection is used. */
final class HandshakeStream {
  private static final long CONNECT_NANOS = 1_000_000_000L;
  private static final long HANDSHAKE_NANOS = 2_000_000_000L;

  private final SocketChannel channel;
  private final Selector selector;
  private final SelectionKey key;
  /** Null for a plain connection. */
  private final Encryption encryption;
  private final ByteBuffer received;

  /** @param received for what arrives; empty */
  HandshakeStream(SocketChannel channel, Selector selector, SelectionKey key, Encryption encryption, ByteBuffer received) {
    this.channel = channel;
    this.selector = selector;
    this.key = key;
    this.encryption = encryption;
    this.received = received;
  }

  /** @throws ConnectException when no process listens there */
  void connect(InetSocketAddress address) throws IOException {
    boolean connected = channel.connect(address);
    long deadline = System.nanoTime() + CONNECT_NANOS;
    while (!connected) {
      await(SelectionKey.OP_CONNECT, deadline);
      connected = channel.finishConnect();
    }
    if (address.equals(channel.getLocalAddress())) {
      throw new ConnectException("Nothing listens at " + address + ": the socket connected to itself.");
    }
  }

  /** Authenticates both ends. What has arrived behind the handshake stays in the buffer. */
  PeerSession prove(Dialer dialer) throws IOException {
    long deadline = System.nanoTime() + HANDSHAKE_NANOS;
    if (encryption != null) {
      encryption.handshake(
          new Encryption.Network() {
            @Override
            public void write(ByteBuffer bytes) throws IOException {
              writeAll(bytes, deadline);
            }

            @Override
            public void read() throws IOException {
              readEncrypted(deadline);
            }
          });
    }
    received.flip();
    writeMessage(dialer.hello(), deadline);
    writeMessage(dialer.confirm(readMessage(deadline)), deadline);
    PeerSession session = dialer.complete(readMessage(deadline));
    received.compact();
    return session;
  }

  private void await(int operation, long deadline) throws IOException {
    key.interestOps(operation);
    if (Thread.currentThread().isInterrupted()) {
      throw new InterruptedIOException("This replica is being stopped.");
    }
    long left = deadline - System.nanoTime();
    if (left <= 0) {
      throw new SocketTimeoutException("It has not answered in time.");
    }
    selector.select(left / 1_000_000 + 1);
    selector.selectedKeys().clear();
  }

  private void writeAll(ByteBuffer bytes, long deadline) throws IOException {
    while (bytes.hasRemaining()) {
      if (channel.write(bytes) == 0) {
        await(SelectionKey.OP_WRITE, deadline);
      }
    }
  }

  private void readEncrypted(long deadline) throws IOException {
    ByteBuffer intake = encryption.intake();
    try {
      readSome(intake, deadline);
    } finally {
      encryption.arrived();
    }
  }

  private void readSome(ByteBuffer target, long deadline) throws IOException {
    int read = channel.read(target);
    while (read == 0) {
      await(SelectionKey.OP_READ, deadline);
      read = channel.read(target);
    }
    if (read < 0) {
      throw new EOFException("It has closed the connection during the handshake.");
    }
  }

  private void writeMessage(byte[] message, long deadline) throws IOException {
    ByteBuffer framed = ByteBuffer.allocate(2 + message.length).putShort((short) message.length).put(message).flip();
    writeAll(encryption == null ? framed : encryption.encrypt(framed), deadline);
  }

  private byte[] readMessage(long deadline) throws IOException {
    byte[] message = new byte[(readByte(deadline) & 0xff) << 8 | readByte(deadline) & 0xff];
    for (int i = 0; i < message.length; i++) {
      message[i] = readByte(deadline);
    }
    return message;
  }

  private byte readByte(long deadline) throws IOException {
    while (!received.hasRemaining()) {
      received.clear();
      if (encryption == null) {
        readSome(received, deadline);
      } else {
        while (!encryption.decrypt(received)) {
          readEncrypted(deadline);
        }
      }
      received.flip();
    }
    return received.get();
  }
}
