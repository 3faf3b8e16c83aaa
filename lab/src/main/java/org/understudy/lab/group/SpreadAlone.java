package org.understudy.lab.group;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import org.understudy.channel.spread.session.Handshake;
import org.understudy.channel.spread.session.ServiceLevel;
import org.understudy.channel.spread.session.SessionDecoder;
import org.understudy.channel.spread.session.SessionEncoder;
import org.understudy.channel.spread.session.SessionEvent;
import org.understudy.lab.report.Samples;

/**
 * Round trips of a Spread daemon without Understudy: one blocking session multicasts a SAFE message to a group that it is alone in, and
 * waits for it. Every daemon of the membership has the message by then. Not thread-safe.
 */
final class SpreadAlone implements AutoCloseable {
  /** How the rows are called. */
  static final String LABEL = "Spread alone, SAFE";

  private static final String GROUP = "group-bench";
  private static final int SILENCE_MS = 30_000;

  private final Socket socket;
  private final ByteBuffer received = ByteBuffer.allocate(SessionDecoder.MAX_MESSAGE_BYTES).flip();
  private final SessionDecoder decoder = new SessionDecoder();
  private final String session;
  private final byte[] message;
  private Samples samples = new Samples();

  /**
   * Opens the session and joins the group.
   *
   * @param bytes the content of each message
   * @throws IOException when no daemon accepts the session there
   */
  SpreadAlone(InetSocketAddress daemon, int bytes) throws IOException {
    socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(SILENCE_MS);
      socket.connect(daemon, SILENCE_MS);
      session = open(new Handshake("b" + ProcessHandle.current().pid()));
      SessionEncoder encoder = new SessionEncoder(session);
      write(encoder.join(GROUP));
      while (!(next() instanceof SessionEvent.Membership)) {
        // The daemon answers nothing else before.
      }
      ByteBuffer head = encoder.multicast(ServiceLevel.SAFE, GROUP, bytes);
      message = new byte[head.remaining() + bytes];
      head.get(message, 0, head.remaining());
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * The daemon that {@code scripts/cluster} uses.
   *
   * @param text {@code port@host}
   */
  static InetSocketAddress daemon(String text) {
    int at = text.indexOf('@');
    return new InetSocketAddress(text.substring(at + 1), Integer.parseInt(text.substring(0, at)));
  }

  /** Measures round trips. */
  void measure(int calls) throws IOException {
    for (int i = 0; i < calls; i++) {
      long begin = System.nanoTime();
      socket.getOutputStream().write(message);
      awaitOwn();
      samples.add(System.nanoTime() - begin);
    }
  }

  /** Drops what was measured up to now. */
  void warmedUp() {
    samples = new Samples();
  }

  Samples samples() {
    return samples;
  }

  private void awaitOwn() throws IOException {
    while (!(next() instanceof SessionEvent.Multicast multicast && multicast.sender().equals(session))) {
      // A membership, or a message of another session in the group.
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

  private SessionEvent next() throws IOException {
    SessionEvent event = decoder.next(received);
    while (event == null) {
      fill();
      event = decoder.next(received);
    }
    return event;
  }

  private void fill() throws IOException {
    received.compact();
    int count = socket.getInputStream().read(received.array(), received.position(), received.remaining());
    if (count < 0) {
      throw new EOFException("The Spread daemon closed the session.");
    }
    received.position(received.position() + count).flip();
  }

  private void write(ByteBuffer part) throws IOException {
    socket.getOutputStream().write(part.array(), part.position(), part.remaining());
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
