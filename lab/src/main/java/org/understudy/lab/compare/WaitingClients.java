package org.understudy.lab.compare;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Many clients that hold an AwaitView at one replica, each on a connection of its own, read by one thread: the load of as
 * many stub processes without their memory.
 */
final class WaitingClients implements AutoCloseable {
  private static final String LENGTH = "\r\nContent-Length: ";
  private static final Pattern EPOCH = Pattern.compile("Epoch>(\\d+)<");

  private final Selector selector = Selector.open();
  private final List<SocketChannel> channels = new ArrayList<>();
  private final long epoch;

  /**
   * Connects all clients and requests a view newer than {@code epoch}.
   *
   * @param holdSeconds after which the replica answers with its current view
   */
  @SuppressWarnings("UnnecessaryStringBuilder") // Each is filled as its answer arrives.
  WaitingClients(URI operations, int count, long epoch, int holdSeconds) throws IOException {
    this.epoch = epoch;
    byte[] body =
        ("<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
                + "<ur:AwaitView xmlns:ur=\"urn:understudy:replication:1\"><ur:Epoch>" + epoch
                + "</ur:Epoch><ur:HoldSeconds>" + holdSeconds
                + "</ur:HoldSeconds></ur:AwaitView></soap:Body></soap:Envelope>")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] head =
        ("POST " + operations.getPath() + " HTTP/1.1\r\nHost: " + operations.getAuthority()
                + "\r\nContent-Type: text/xml; charset=UTF-8\r\nSOAPAction: \"urn:understudy:replication:1/AwaitView\""
                + "\r\nContent-Length: " + body.length + "\r\n\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    for (int i = 0; i < count; i++) {
      SocketChannel channel = SocketChannel.open();
      channels.add(channel);
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.connect(new InetSocketAddress(operations.getHost(), operations.getPort()));
      ByteBuffer request = ByteBuffer.allocate(head.length + body.length).put(head).put(body).flip();
      while (request.hasRemaining()) {
        channel.write(request);
      }
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new StringBuilder());
    }
  }

  /**
   * Waits until each has its whole answer.
   *
   * @return when the last one had it
   * @throws IOException when one gets no answer in time, or another one than a view, a newer one unless time was up
   */
  Instant awaitLast(Duration limit, boolean newer) throws IOException {
    long end = System.nanoTime() + limit.toNanos();
    int open = channels.size();
    ByteBuffer buffer = ByteBuffer.allocate(1 << 14);
    List<StringBuilder> answers = new ArrayList<>();
    Instant last = Instant.now();
    while (open > 0) {
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new IOException(open + " of " + channels.size() + " clients received no new view within " + limit + ".");
      }
      selector.select(left);
      for (SelectionKey key : selector.selectedKeys()) {
        buffer.clear();
        if (((SocketChannel) key.channel()).read(buffer) < 0) {
          throw new IOException("A replica closed a connection on which a client waited.");
        }
        StringBuilder answer = (StringBuilder) key.attachment();
        answer.append(StandardCharsets.ISO_8859_1.decode(buffer.flip()));
        if (isWhole(answer)) {
          last = Instant.now();
          answers.add(answer);
          key.cancel();
          open--;
        }
      }
      selector.selectedKeys().clear();
    }
    for (StringBuilder answer : answers) {
      check(answer, newer);
    }
    return last;
  }

  private static boolean isWhole(StringBuilder answer) {
    int blank = answer.indexOf("\r\n\r\n");
    int length = answer.indexOf(LENGTH);
    if (blank < 0 || length < 0 || length > blank) {
      return false;
    }
    int begin = length + LENGTH.length();
    return answer.length() >= blank + 4 + Integer.parseInt(answer, begin, answer.indexOf("\r\n", begin), 10);
  }

  private void check(StringBuilder answer, boolean newer) throws IOException {
    Matcher answered = EPOCH.matcher(answer);
    if (answer.indexOf("HTTP/1.1 200") != 0 || !answered.find() || (newer && Long.parseLong(answered.group(1)) <= epoch)) {
      throw new IOException("Expected a view newer than " + epoch + ", received: " + answer);
    }
  }

  @Override
  public void close() throws IOException {
    for (SocketChannel channel : channels) {
      channel.close();
    }
    selector.close();
  }
}
