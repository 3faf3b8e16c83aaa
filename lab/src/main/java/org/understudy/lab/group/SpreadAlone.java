package org.understudy.lab.group;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import org.understudy.channel.spread.DaemonSession;
import org.understudy.channel.spread.session.ServiceLevel;
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

  private final DaemonSession session;
  private final ByteBuffer message;
  private Samples samples = new Samples();

  /**
   * Opens the session and joins the group.
   *
   * @param bytes the content of each message
   * @throws IOException when no daemon accepts the session there
   */
  SpreadAlone(InetSocketAddress daemon, int bytes) throws IOException {
    session = DaemonSession.open(daemon, "b" + ProcessHandle.current().pid());
    try {
      session.write(List.of(session.encoder().join(GROUP)));
      while (!(session.next() instanceof SessionEvent.Membership)) {
        // The daemon answers nothing else before.
      }
      ByteBuffer head = session.encoder().multicast(ServiceLevel.SAFE, GROUP, bytes);
      message = ByteBuffer.allocate(head.remaining() + bytes).put(head);
    } catch (IOException | RuntimeException e) {
      session.close();
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
      session.write(List.of(message.clear()));
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
    while (!(session.next() instanceof SessionEvent.Multicast multicast && multicast.sender().equals(session.privateGroup()))) {
      // A membership, or a message of another session in the group.
    }
  }

  @Override
  public void close() {
    session.close();
  }
}
