package org.understudy.channel.spread;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import org.understudy.channel.spread.session.Handshake;
import org.understudy.channel.spread.session.SessionDecoder;
import org.understudy.channel.spread.session.SessionEncoder;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.replication.runtime.codec.Slice;

/** One session with a daemon over TCP. One thread reads and another one writes; both block. */
public final class DaemonSession implements AutoCloseable {
  /** Longer than daemons need to form a membership with their default timeouts. */
  static final int SILENCE_MS = 30_000;

  private static final int CONNECT_MS = 5_000;

  private final SocketChannel socket;
  private final Slice slice = new Slice();
  private final InputStream input;
  private final SessionDecoder decoder = new SessionDecoder();
  private final ByteBuffer received = ByteBuffer.allocate(SessionDecoder.MAX_MESSAGE_BYTES).flip();
  private final String privateGroup;
  private final SessionEncoder encoder;
  private int silenceMs = CONNECT_MS;

  private DaemonSession(SocketChannel socket, String privateName) throws IOException {
    this.socket = socket;
    this.input = socket.socket().getInputStream();
    this.privateGroup = open(new Handshake(privateName));
    this.encoder = new SessionEncoder(privateGroup);
  }

  /**
   * Connects and opens a session whose daemon may be silent for 30 s.
   *
   * @param privateName unique at the daemon
   * @throws IOException when the daemon cannot be reached, does not answer within 5 s, or rejects the session
   */
  public static DaemonSession open(InetSocketAddress daemon, String privateName) throws IOException {
    return open(daemon, privateName, SILENCE_MS);
  }

  /**
   * Connects and opens a session.
   *
   * @param privateName unique at the daemon
   * @param silenceMs milliseconds after which a daemon that sends nothing counts as dead
   * @throws IOException when the daemon cannot be reached, does not answer within 5 s, or rejects the session
   */
  static DaemonSession open(InetSocketAddress daemon, String privateName, int silenceMs) throws IOException {
    InetSocketAddress resolved =
        daemon.isUnresolved() ? new InetSocketAddress(daemon.getHostString(), daemon.getPort()) : daemon;
    if (resolved.isUnresolved()) {
      throw new IOException("the host " + daemon.getHostString() + " is unknown");
    }
    SocketChannel socket = SocketChannel.open();
    try {
      socket.setOption(StandardSocketOptions.TCP_NODELAY, true);
      socket.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
      socket.socket().connect(resolved, CONNECT_MS);
      socket.socket().setSoTimeout(CONNECT_MS);
      DaemonSession session = new DaemonSession(socket, privateName);
      session.silenceMs = silenceMs;
      socket.socket().setSoTimeout(silenceMs);
      return session;
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  private String open(Handshake handshake) throws IOException {
    write(handshake.request());
    while (true) {
      ByteBuffer answer = handshake.step(received);
      if (answer != null) {
        write(answer);
      } else if (handshake.privateGroup() != null) {
        return handshake.privateGroup();
      } else {
        fill();
      }
    }
  }

  /** This session's name at all daemons. */
  public String privateGroup() {
    return privateGroup;
  }

  /** Encodes what this session sends; for the thread that writes. */
  public SessionEncoder encoder() {
    return encoder;
  }

  /**
   * Waits for the next event. Its content is valid until the next call.
   *
   * @throws IOException when the daemon has closed the connection, or has been silent for too long
   */
  public SessionEvent next() throws IOException {
    while (true) {
      SessionEvent event = decoder.next(received);
      if (event != null) {
        return event;
      }
      fill();
    }
  }

  private void fill() throws IOException {
    received.compact();
    int count;
    try {
      count = input.read(received.array(), received.position(), received.remaining());
    } catch (SocketTimeoutException e) {
      throw new IOException("the daemon has sent nothing for " + silenceMs + " ms", e);
    }
    if (count < 0) {
      throw new EOFException("the daemon closed the connection");
    }
    received.position(received.position() + count).flip();
  }

  /**
   * Writes all buffers, many at each system call if they are small.
   *
   * @throws IOException when the daemon has closed the connection
   */
  public void write(List<ByteBuffer> buffers) throws IOException {
    write(buffers.toArray(ByteBuffer[]::new));
  }

  private void write(ByteBuffer... buffers) throws IOException {
    for (ByteBuffer next = slice.take(buffers); next.hasRemaining(); next = slice.take(buffers)) {
      while (next.hasRemaining()) {
        socket.write(next);
      }
    }
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // The connection is of no use any more; the daemon notices its end.
    }
  }
}
