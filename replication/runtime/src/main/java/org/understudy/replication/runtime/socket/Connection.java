package org.understudy.replication.runtime.socket;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerAddresses;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;

/**
 * A connection that this replica has made and on which it sends. Sends without blocking; what the kernel does not take is
 * queued in a backlog. Pings are sent between frames; only their answers come back.
 *
 * <p>Not thread-safe: its link guards it, except {@link #select} and {@link #wakeUp}.
 */
final class Connection implements Closeable {
  private static final long CONNECT_NANOS = 1_000_000_000L;
  private static final long HANDSHAKE_NANOS = 2_000_000_000L;
  private static final int SEND_BUFFER_BYTES = 1 << 20;
  private static final int MAX_SMALL_BYTES = 16 << 10;
  private static final int OVERHEAD_BYTES = 4 + FrameSeal.TAG_BYTES;
  /** The allowance for a slow network to carry bytes sent before a ping: one megabyte a second. */
  private static final long NANOS_PER_BYTE = 1_000;

  private final SocketChannel channel;
  private final InetSocketAddress address;
  private final Selector selector;
  private final SelectionKey key;
  /** Null for a plain connection. */
  private final Encryption encryption;

  private final byte[] tag = new byte[FrameSeal.TAG_BYTES];
  private final ByteBuffer small = ByteBuffer.allocateDirect(MAX_SMALL_BYTES + OVERHEAD_BYTES);
  private final ByteBuffer answers;
  private PeerSession session;

  private final ArrayDeque<ByteBuffer> backlog = new ArrayDeque<>();
  private long backlogBytes;
  private long sentBytes;

  /** The signs of life of the other end. */
  private long lastReceived;
  private long pinged;
  private boolean pingOut;
  private long sentBeforePing;
  private long confirmedBytes;

  private Connection(SocketChannel channel, InetSocketAddress address, Selector selector, Encryption encryption) throws IOException {
    this.channel = channel;
    this.address = address;
    this.selector = selector;
    this.key = channel.register(selector, SelectionKey.OP_CONNECT);
    this.encryption = encryption;
    this.answers = ByteBuffer.allocate(encryption == null ? 1_024 : Math.max(1_024, encryption.packetBytes()));
  }

  /**
   * Connects and authenticates both ends.
   *
   * @throws ConnectException when no process listens there
   * @throws RefusedPeerException when one end does not admit the other
   */
  static Connection dial(SocketSettings settings, ReplicaId peer) throws IOException {
    return PeerAddresses.first(PeerAddresses.of(settings.addresses().get(peer)), address -> dial(settings, peer, address));
  }

  private static Connection dial(SocketSettings settings, ReplicaId peer, InetSocketAddress address) throws IOException {
    SocketChannel channel = SocketChannel.open();
    Selector selector = null;
    try {
      selector = Selector.open();
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
      channel.configureBlocking(false);
      Encryption encryption =
          settings.tls() == null
              ? null
              : new Encryption(settings.tls().dialer(settings.addresses().get(peer).getHostString(), address.getPort()));
      Connection connection = new Connection(channel, address, selector, encryption);
      connection.connect();
      connection.prove(new Dialer(settings.credentials(), peer));
      return connection;
    } catch (IOException | RuntimeException e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  private void connect() throws IOException {
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

  /** Where the other end is: the address of its host name that answered. */
  InetSocketAddress address() {
    return address;
  }

  private void prove(Dialer dialer) throws IOException {
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
    answers.flip();
    writeMessage(dialer.hello(), deadline);
    writeMessage(dialer.confirm(readMessage(deadline)), deadline);
    session = dialer.complete(readMessage(deadline));
    answers.compact();
    lastReceived = System.nanoTime();
    pinged = lastReceived;
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
    while (!answers.hasRemaining()) {
      answers.clear();
      if (encryption == null) {
        readSome(answers, deadline);
      } else {
        while (!encryption.decrypt(answers)) {
          readEncrypted(deadline);
        }
      }
      answers.flip();
    }
    return answers.get();
  }

  // ---- sending

  long backlogBytes() {
    return backlogBytes;
  }

  /** Seals and sends; what the kernel does not take joins the backlog. */
  void send(Frame frame) throws IOException {
    boolean fits = frame.bytes() <= MAX_SMALL_BYTES;
    if (fits && encryption == null) {
      small.clear();
      small.putInt(frame.bytes());
      frame.copyTo(small);
      small.put(seal(frame)).flip();
      if (backlog.isEmpty()) {
        sentBytes += channel.write(small);
      }
      if (small.hasRemaining()) {
        leave(ByteBuffer.allocate(small.remaining()).put(small).flip());
      }
      return;
    }
    ByteBuffer[] segments = frame.segments();
    ByteBuffer[] parts = new ByteBuffer[segments.length + 2];
    parts[0] = ByteBuffer.allocate(4).putInt(frame.bytes()).flip();
    System.arraycopy(segments, 0, parts, 1, segments.length);
    if (encryption == null && !frame.isDigested()) {
      // The content is sent before it is digested here, and is digested at the other end as it arrives.
      parts[parts.length - 1] = ByteBuffer.allocate(0);
      pass(parts);
      pass(ByteBuffer.wrap(seal(frame).clone()));
    } else {
      parts[parts.length - 1] = ByteBuffer.wrap(seal(frame).clone());
      if (encryption == null) {
        pass(parts);
      } else {
        pass(encryption.encrypt(parts));
      }
    }
  }

  private byte[] seal(Frame frame) {
    session.outgoing().seal(frame.digest(session.outgoingContent()), tag, 0);
    return tag;
  }

  private void pass(ByteBuffer... parts) throws IOException {
    if (backlog.isEmpty()) {
      sentBytes += channel.write(parts);
    }
    for (ByteBuffer part : parts) {
      if (part.hasRemaining()) {
        leave(part);
      }
    }
  }

  private void leave(ByteBuffer rest) {
    backlog.addLast(rest);
    backlogBytes += rest.remaining();
  }

  // ---- the link's thread

  /** Waits until something can be read or written, at most this long. Called without the link's lock. */
  void select(boolean write, long waitNanos) throws IOException {
    key.interestOps(write ? SelectionKey.OP_READ | SelectionKey.OP_WRITE : SelectionKey.OP_READ);
    selector.select(Math.max(1, waitNanos / 1_000_000));
    selector.selectedKeys().clear();
  }

  void wakeUp() {
    selector.wakeup();
  }

  /** Writes the backlog as far as the kernel takes it. Progress is a sign of life: the other end acknowledges. */
  void flush(long now) throws IOException {
    while (!backlog.isEmpty()) {
      ByteBuffer first = backlog.peekFirst();
      int written = channel.write(first);
      backlogBytes -= written;
      sentBytes += written;
      if (written > 0) {
        lastReceived = now;
      }
      if (first.hasRemaining()) {
        return;
      }
      backlog.pollFirst();
    }
  }

  /** Receives the answers to pings. */
  void receive(long now) throws IOException {
    while (true) {
      if (encryption == null) {
        int read = channel.read(answers);
        if (read < 0) {
          throw new EOFException("the other end has closed it");
        }
        take(now);
        if (read == 0) {
          return;
        }
      } else if (encryption.decrypt(answers)) {
        take(now);
      } else {
        ByteBuffer intake = encryption.intake();
        int read;
        try {
          read = channel.read(intake);
        } finally {
          encryption.arrived();
        }
        if (read < 0) {
          throw new EOFException("the other end has closed it");
        }
        if (read == 0) {
          return;
        }
      }
    }
  }

  private void take(long now) throws IOException {
    answers.flip();
    while (answers.remaining() >= OVERHEAD_BYTES) {
      int length = answers.getInt();
      answers.get(tag);
      if (length != 0 || !pingOut || !session.incoming().verify(Frame.EMPTY.digest(session.incomingContent()), tag, 0)) {
        throw new RefusedPeerException(
            RefusedPeerException.Reason.FORGED, "An answer to a ping was altered on the way, or no ping was sent.");
      }
      lastReceived = now;
      pingOut = false;
      confirmedBytes = sentBeforePing;
    }
    answers.compact();
  }

  /** Sends a ping when it is due. */
  void pingAfter(long intervalNanos, long now) throws IOException {
    if (!pingOut && now - pinged >= intervalNanos) {
      pinged = now;
      pingOut = true;
      sentBeforePing = sentBytes + backlogBytes;
      send(Frame.EMPTY);
    }
  }

  /** Whether the other end has given no sign of life for this long, plus the time that bytes in flight may take. */
  boolean isSilent(long suspicionNanos, long now) {
    return now - lastReceived > suspicionNanos + (sentBytes - confirmedBytes) * NANOS_PER_BYTE;
  }

  /** Restarts the silence timer: this process itself was stopped, so the silence proves nothing. */
  void restart(long now) {
    lastReceived = now;
  }

  @Override
  public void close() throws IOException {
    try {
      channel.close();
    } finally {
      selector.close();
    }
  }
}
