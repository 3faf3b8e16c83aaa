package org.understudy.lab.notify;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.thread.DaemonThreads;

/**
 * Thousands of notification consumers behind a few ports, served by one thread: {@code /sink/K} is consumer K. A stalled
 * consumer reads a message and never answers; the connection stays open until its other end closes it.
 */
final class SinkServer implements AutoCloseable {
  /** A burst of ten thousand connections is spread over several accept queues, to avoid retransmitted SYNs. */
  private static final int PORTS = 8;

  private static final int BACKLOG = 4_096;
  private static final int MAX_REQUEST_BYTES = 1 << 20;
  private static final Pattern TARGET = Pattern.compile("POST /sink/(\\d{1,9}) HTTP/1\\.1");
  private static final Pattern LENGTH = Pattern.compile("\r\ncontent-length:[ \t]*(\\d{1,7})[ \t]*\r\n",
      Pattern.CASE_INSENSITIVE);
  private static final byte[] ACCEPTED = answer("202 Accepted");
  private static final byte[] BAD = answer("400 Bad Request");

  private final Arrivals arrivals;
  private final Consumer<IOException> failed;
  private final Selector selector = Selector.open();
  private final List<ServerSocketChannel> listeners = new ArrayList<>();
  private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
  private final Thread thread = DaemonThreads.daemon("sinks", this::serve);

  /**
   * Starts it.
   *
   * @param failed called by its thread when it cannot continue, out of file descriptors most likely
   */
  SinkServer(Arrivals arrivals, Consumer<IOException> failed) throws IOException {
    this.arrivals = arrivals;
    this.failed = failed;
    for (int i = 0; i < PORTS; i++) {
      ServerSocketChannel listener = ServerSocketChannel.open();
      listeners.add(listener);
      listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
      listener.configureBlocking(false);
      listener.register(selector, SelectionKey.OP_ACCEPT);
    }
    thread.start();
  }

  /** Consumer K may be addressed at any of them. */
  List<Integer> ports() {
    return listeners.stream().map(listener -> listener.socket().getLocalPort()).toList();
  }

  private static byte[] answer(String status) {
    return ("HTTP/1.1 " + status + "\r\nContent-Length: 0\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
  }

  private void serve() {
    try {
      while (selector.isOpen()) {
        selector.select();
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.isValid() && key.isAcceptable()) {
            accept((ServerSocketChannel) key.channel());
          } else if (key.isValid()) {
            serve(key);
          }
        }
        selector.selectedKeys().clear();
      }
    } catch (IOException e) {
      failed.accept(e);
    } catch (ClosedSelectorException e) {
      // Closed by its owner, which is how this thread ends.
      return;
    }
  }

  private void accept(ServerSocketChannel listener) throws IOException {
    for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.configureBlocking(false);
      channel.register(selector, SelectionKey.OP_READ, new byte[0]);
    }
  }

  /** Reads what has come; what is not yet a whole request stays with the key. */
  private void serve(SelectionKey key) throws IOException {
    SocketChannel channel = (SocketChannel) key.channel();
    try {
      buffer.clear();
      if (channel.read(buffer) < 0) {
        channel.close();
        return;
      }
      byte[] before = (byte[]) key.attachment();
      byte[] bytes = Arrays.copyOf(before, before.length + buffer.position());
      System.arraycopy(buffer.array(), 0, bytes, before.length, buffer.position());
      int begin = 0;
      for (int end = endOfRequest(bytes, begin); end >= 0; end = endOfRequest(bytes, begin)) {
        take(channel, bytes, begin, end);
        begin = end;
      }
      key.attach(begin == 0 ? bytes : Arrays.copyOfRange(bytes, begin, bytes.length));
    } catch (IOException e) {
      // A producer that was killed.
      channel.close();
    }
  }

  /** Where the request ends that begins there; negative while it is not complete. */
  private static int endOfRequest(byte[] bytes, int begin) throws IOException {
    int body = bodyOf(bytes, begin);
    if (body < 0) {
      if (bytes.length - begin > MAX_REQUEST_BYTES) {
        throw new IOException("The head of the request does not end.");
      }
      return -1;
    }
    Matcher length = LENGTH.matcher(head(bytes, begin, body));
    int end = length.find() ? body + Integer.parseInt(length.group(1)) : body;
    if (end - begin > MAX_REQUEST_BYTES) {
      throw new IOException("The request has more than " + MAX_REQUEST_BYTES + " bytes.");
    }
    return end <= bytes.length ? end : -1;
  }

  private static String head(byte[] bytes, int begin, int body) {
    return new String(bytes, begin, body - begin, StandardCharsets.ISO_8859_1);
  }

  private static int bodyOf(byte[] bytes, int begin) {
    for (int i = begin + 3; i < bytes.length; i++) {
      if (bytes[i] == '\n' && bytes[i - 1] == '\r' && bytes[i - 2] == '\n' && bytes[i - 3] == '\r') {
        return i + 1;
      }
    }
    return -1;
  }

  private void take(SocketChannel channel, byte[] bytes, int begin, int end) throws IOException {
    int body = bodyOf(bytes, begin);
    Matcher target = TARGET.matcher(head(bytes, begin, body));
    if (!target.lookingAt()) {
      arrivals.unreadable();
      write(channel, BAD);
      return;
    }
    OptionalInt value = NotifiedValue.of(bytes, body, end);
    if (value.isEmpty()) {
      arrivals.unreadable();
      write(channel, ACCEPTED);
    } else if (arrivals.came(Integer.parseInt(target.group(1)), value.getAsInt(), System.nanoTime())) {
      write(channel, ACCEPTED);
    }
  }

  private static void write(SocketChannel channel, byte[] answer) throws IOException {
    // One short answer is under way on a connection: it always fits into the socket's buffer.
    if (channel.write(ByteBuffer.wrap(answer)) != answer.length) {
      throw new IOException("A producer does not read its answers.");
    }
  }

  @Override
  public void close() throws IOException {
    for (SelectionKey key : selector.keys()) {
      key.channel().close();
    }
    selector.close();
  }
}
