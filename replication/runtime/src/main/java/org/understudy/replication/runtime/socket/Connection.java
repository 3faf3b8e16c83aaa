package org.understudy.replication.runtime.socket;

import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.codec.Slice;
import org.understudy.replication.runtime.handshake.ContentDigest;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.FrameSeal;
import org.understudy.replication.runtime.handshake.PeerAddresses;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;

/**
 * A connection that this replica has made and on which it sends. Sends without blocking; what the kernel does not take is
 * queued in a backlog. Pings are sent between frames. What comes back are answers, to pings and to the frames that ask for one.
 *
 * <p>Not thread-safe: its link guards it, except {@link #select}, {@link #awaitAnswer} and what wakes them up.
 *
 * <p>More than 400 lines because sending, answers and the signs of life share the state of one socket.
 */
final class Connection implements Closeable {
  /** Writes to the network; replaced in tests. */
  @FunctionalInterface
  interface Wire {
    Wire REAL = SocketChannel::write;

    /** Returns how many bytes the kernel has taken. */
    int write(SocketChannel channel, ByteBuffer bytes) throws IOException;
  }

  private static final int SEND_BUFFER_BYTES = 1 << 20;
  private static final int MAX_SMALL_BYTES = 16 << 10;
  private static final int OVERHEAD_BYTES = 4 + FrameSeal.TAG_BYTES;
  /** For an answer, and answers to pings beside it. */
  private static final int ANSWER_BUFFER_BYTES = 1_024;
  /** The allowance for a slow network to carry bytes sent before a ping: one megabyte a second. */
  private static final long NANOS_PER_BYTE = 1_000;

  private final SocketChannel channel;
  private final InetSocketAddress address;
  private final Selector selector;
  /** Of the thread that waits for an answer; null when the other end answers pings only. */
  private Selector answerSelector;
  private final SelectionKey key;
  /** Null for a plain connection. */
  private final Encryption encryption;

  private final byte[] tag = new byte[FrameSeal.TAG_BYTES];
  private final Wire wire;
  private final Slice slice = new Slice();
  private final ByteBuffer answers;
  private PeerSession session;
  /** Whether a frame has asked for an answer that has not come. */
  private boolean asked;

  private final ArrayDeque<ByteBuffer> backlog = new ArrayDeque<>();
  private long backlogBytes;
  private long sentBytes;

  /** The signs of life of the other end. */
  private long lastReceived;
  private long pinged;
  private boolean pingOut;
  private long sentBeforePing;
  private long confirmedBytes;
  private SendWindow window;

  private Connection(SocketChannel channel, InetSocketAddress address, Selector selector, Encryption encryption, Wire wire)
      throws IOException {
    this.channel = channel;
    this.wire = wire;
    this.address = address;
    this.selector = selector;
    this.key = channel.register(selector, SelectionKey.OP_CONNECT);
    this.encryption = encryption;
    this.answers = ByteBuffer.allocate(encryption == null ? ANSWER_BUFFER_BYTES : ANSWER_BUFFER_BYTES + encryption.packetBytes());
  }

  /**
   * Connects and authenticates both ends.
   *
   * @throws ConnectException when no process listens there
   * @throws RefusedPeerException when one end does not admit the other
   */
  static Connection dial(SocketSettings settings, ReplicaId peer, Wire wire) throws IOException {
    return PeerAddresses.first(PeerAddresses.of(settings.addresses().get(peer)), address -> dial(settings, peer, address, wire));
  }

  private static Connection dial(SocketSettings settings, ReplicaId peer, InetSocketAddress address, Wire wire) throws IOException {
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
      Connection connection = new Connection(channel, address, selector, encryption, wire);
      connection.begin(new Dialer(settings.credentials(), peer), settings.suspicion().toNanos());
      return connection;
    } catch (IOException | RuntimeException | Error e) {
      channel.close();
      if (selector != null) {
        selector.close();
      }
      throw e;
    }
  }

  private void begin(Dialer dialer, long suspicionNanos) throws IOException {
    HandshakeStream handshake = new HandshakeStream(channel, selector, key, encryption, answers);
    handshake.connect(address);
    session = handshake.prove(dialer);
    if (session.answers()) {
      answerSelector = Selector.open();
      channel.register(answerSelector, SelectionKey.OP_READ);
    }
    lastReceived = System.nanoTime();
    pinged = lastReceived;
    window = new SendWindow(suspicionNanos, lastReceived);
  }

  /** The newest wire version that both ends read. */
  int wireVersion() {
    return session.wire();
  }

  /** Where the other end is: the address of its host name that answered. */
  InetSocketAddress address() {
    return address;
  }

  // ---- sending

  long backlogBytes() {
    return backlogBytes;
  }

  /** Whether another frame may follow what is on its way: on a narrow link, nothing could overtake it. */
  boolean hasRoom() throws IOException {
    long onTheirWay = sentBytes + backlogBytes - confirmedBytes;
    boolean room = window.hasRoom(onTheirWay);
    long unmeasured = sentBytes + backlogBytes - sentBeforePing;
    if (!pingOut && unmeasured >= (room ? window.measuredBytes() : 1)) {
      ping(System.nanoTime());
    }
    return room;
  }

  /** The bytes of a frame beyond which it would fill the link for long. */
  long roomBytes() {
    return window.bytes();
  }

  /** Whether the next frame can ask for an answer. One at a time does, so what comes back is bounded. */
  boolean canAsk() {
    return !asked && answerSelector != null;
  }

  boolean owesAnswer() {
    return asked;
  }

  /**
   * Seals and sends; what the kernel does not take joins the backlog.
   *
   * @param asks whether the other end answers on this connection, see {@link #canAsk}
   */
  void send(Frame frame, boolean asks) throws IOException {
    asked |= asks;
    int length = asks ? frame.bytes() | Frame.MARK : frame.bytes();
    boolean fits = frame.bytes() <= MAX_SMALL_BYTES;
    if (fits && encryption == null) {
      ByteBuffer whole = slice.clear().putInt(length);
      frame.copyTo(whole);
      passSlice(whole.put(seal(frame, asks)).flip());
      return;
    }
    ByteBuffer[] segments = frame.segments();
    ByteBuffer[] parts = new ByteBuffer[segments.length + 2];
    parts[0] = ByteBuffer.allocate(4).putInt(length).flip();
    System.arraycopy(segments, 0, parts, 1, segments.length);
    if (encryption == null && !frame.isDigested()) {
      // The content is sent before it is digested here, and is digested at the other end as it arrives.
      parts[parts.length - 1] = ByteBuffer.allocate(0);
      pass(parts);
      pass(ByteBuffer.wrap(seal(frame, asks).clone()));
    } else {
      parts[parts.length - 1] = ByteBuffer.wrap(seal(frame, asks).clone());
      if (encryption == null) {
        pass(parts);
      } else {
        pass(encryption.encrypt(parts));
      }
    }
  }

  private byte[] seal(Frame frame, boolean asks) {
    session.outgoing().seal(frame.digest(session.outgoingContent()), asks, tag, 0);
    return tag;
  }

  private void pass(ByteBuffer... parts) throws IOException {
    while (backlog.isEmpty()) {
      ByteBuffer next = slice.take(parts);
      if (!next.hasRemaining()) {
        return;
      }
      passSlice(next);
    }
    for (ByteBuffer part : parts) {
      if (part.hasRemaining()) {
        leave(part);
      }
    }
  }

  private void passSlice(ByteBuffer next) throws IOException {
    if (backlog.isEmpty()) {
      sentBytes += wire.write(channel, next);
    }
    if (next.hasRemaining()) {
      leave(ByteBuffer.allocate(next.remaining()).put(next).flip());
    }
  }

  private void leave(ByteBuffer rest) {
    backlog.addLast(rest);
    backlogBytes += rest.remaining();
  }

  // ---- the link's thread

  /**
   * Waits until something can be read, or written, or the connection has broken, at most this long. Called without the link's lock.
   */
  void select(boolean read, boolean write, long waitNanos) throws IOException {
    key.interestOps((read ? SelectionKey.OP_READ : 0) | (write ? SelectionKey.OP_WRITE : 0));
    selector.select(Math.max(1, waitNanos / 1_000_000));
    selector.selectedKeys().clear();
  }

  void wakeUp() {
    selector.wakeup();
  }

  /** Waits until an answer may have come, at most this long. Called without the link's lock, by one thread at a time. */
  void awaitAnswer(long waitNanos) throws IOException {
    answerSelector.select(key -> {}, Math.max(1, waitNanos / 1_000_000));
  }

  /** Without effect where the other end is not asked: this connection has replaced the one of the wait. */
  void wakeAnswerWait() {
    if (answerSelector != null) {
      answerSelector.wakeup();
    }
  }

  /** Writes the backlog as far as the kernel takes it. Progress is a sign of life: the other end acknowledges. */
  void flush(long now) throws IOException {
    while (!backlog.isEmpty()) {
      ByteBuffer first = backlog.peekFirst();
      ByteBuffer next = slice.take(first.duplicate());
      int written = wire.write(channel, next);
      first.position(first.position() + written);
      backlogBytes -= written;
      sentBytes += written;
      if (written > 0) {
        lastReceived = now;
      }
      if (next.hasRemaining()) {
        return;
      }
      if (!first.hasRemaining()) {
        backlog.pollFirst();
      }
    }
  }

  /**
   * Receives what has come back.
   *
   * @return the messages of the answer that was asked for, encoded; null if it has not come
   */
  byte[] receive(long now) throws IOException {
    byte[] answer = null;
    try {
      while (arrives()) {
        answer = take(now, answer);
      }
    } catch (EOFException e) {
      if (answer == null) {
        throw e;
      }
      // What came before the end counts; the next call reports the end.
    }
    return answer;
  }

  /** @return whether there may be more than this has read; false when nothing has arrived */
  private boolean arrives() throws IOException {
    if (encryption == null) {
      int read = channel.read(answers);
      if (read < 0) {
        throw ended();
      }
      return read > 0;
    }
    while (!encryption.decrypt(answers)) {
      ByteBuffer intake = encryption.intake();
      int read;
      try {
        read = channel.read(intake);
      } finally {
        encryption.arrived();
      }
      if (read < 0) {
        throw ended();
      }
      if (read == 0) {
        return false;
      }
    }
    return true;
  }

  private static EOFException ended() {
    return new EOFException("the other end has closed it");
  }

  private byte[] take(long now, byte[] before) throws IOException {
    byte[] answer = before;
    answers.flip();
    while (answers.remaining() >= OVERHEAD_BYTES) {
      int length = answers.getInt(answers.position());
      if (length == 0) {
        answers.getInt();
        takePong(now);
      } else {
        int bytes = length & Frame.MAX_BYTES;
        if (length > 0 || !asked || bytes > Incoming.MAX_ANSWER_BYTES) {
          throw refused();
        }
        if (answers.remaining() < OVERHEAD_BYTES + bytes) {
          break;
        }
        answers.getInt();
        answer = takeAnswer(bytes, now);
      }
    }
    answers.compact();
    return answer;
  }

  private void takePong(long now) throws RefusedPeerException {
    answers.get(tag);
    if (!pingOut || !session.incoming().verify(Frame.EMPTY.digest(session.incomingContent()), tag, 0)) {
      throw refused();
    }
    lastReceived = now;
    pingOut = false;
    confirmedBytes = sentBeforePing;
    window.measured(now - pinged, now);
  }

  private byte[] takeAnswer(int bytes, long now) throws RefusedPeerException {
    byte[] content = new byte[bytes];
    answers.get(content);
    answers.get(tag);
    ContentDigest digest = session.incomingContent();
    digest.update(content, 0, bytes);
    if (!session.incoming().verify(digest.digest(), true, tag, 0)) {
      throw refused();
    }
    lastReceived = now;
    asked = false;
    return content;
  }

  private static RefusedPeerException refused() {
    return new RefusedPeerException(
        RefusedPeerException.Reason.FORGED, "An answer was altered on the way, or nothing was asked.");
  }

  /** Sends a ping when it is due. */
  void pingAfter(long intervalNanos, long now) throws IOException {
    if (!pingOut && now - pinged >= intervalNanos) {
      ping(now);
    }
  }

  private void ping(long now) throws IOException {
    pinged = now;
    pingOut = true;
    sentBeforePing = sentBytes + backlogBytes;
    send(Frame.EMPTY, false);
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
      if (answerSelector != null) {
        answerSelector.close();
      }
    }
  }
}
