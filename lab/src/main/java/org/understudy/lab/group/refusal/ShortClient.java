package org.understudy.lab.group.refusal;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.lab.group.client.CounterSession;

/**
 * A client that updates its counter, each time on a connection of its own, as HTTP/1.0 does. It does not block: a selector tells it when to
 * go on. Not thread-safe.
 */
final class ShortClient {
  /** How a step ended. */
  enum Result {
    /** The request is in progress. */
    UNFINISHED,
    /** The replica names another one, which {@link ShortClient#connect} takes next. */
    REDIRECTED,
    ANSWERED,
    REFUSED,
    FAILED
  }

  private static final Pattern LENGTH = Pattern.compile("\r\nContent-Length: (\\d+)\r\n");
  private static final Pattern CODE = Pattern.compile("<ur:Code>(\\w+)<");
  private static final int HTTP_OK = 200;

  private final CounterSession session;
  private final List<URI> replicas;
  private int at;
  private SocketChannel channel;
  private ByteBuffer request;
  private ByteArrayOutputStream response;
  private boolean connected;
  private long begun;
  private long since;
  private String reason = "";

  /**
   * A client without a connection.
   *
   * @param replicas the URL of the service at every replica, in the order of their numbers
   * @param first the number of the replica that gets the requests until it redirects them
   */
  ShortClient(CounterSession session, List<URI> replicas, int first) {
    this.session = session;
    this.replicas = replicas;
    this.at = first - 1;
  }

  /** Begins an update. */
  Result begin(Selector selector, long now) {
    begun = now;
    return connect(selector, session.add(), now);
  }

  /** Begins the next attempt of an update that was redirected. */
  Result again(Selector selector, long now) {
    return connect(selector, session.again(), now);
  }

  private Result connect(Selector selector, String envelope, long now) {
    URI replica = replicas.get(at);
    byte[] content = envelope.getBytes(StandardCharsets.UTF_8);
    byte[] head = ("POST " + session.counter() + " HTTP/1.1\r\nHost: " + replica.getAuthority()
        + "\r\nConnection: close\r\nContent-Type: text/xml; charset=UTF-8\r\nSOAPAction: \"\"\r\nContent-Length: " + content.length
        + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
    request = ByteBuffer.allocate(head.length + content.length).put(head).put(content).flip();
    response = new ByteArrayOutputStream(1_024);
    connected = false;
    since = now;
    try {
      channel = SocketChannel.open();
      channel.configureBlocking(false);
      boolean made = channel.connect(new InetSocketAddress(replica.getHost(), replica.getPort()));
      channel.register(selector, made ? SelectionKey.OP_WRITE : SelectionKey.OP_CONNECT, this);
      connected = made;
      return Result.UNFINISHED;
    } catch (ConnectException e) {
      return end(Result.REFUSED, "");
    } catch (IOException e) {
      // No port or no descriptor is left: a limit of the clients, not of the server.
      return end(Result.FAILED, e.getMessage());
    }
  }

  /** Goes on when the selector reports the connection. */
  Result proceed(SelectionKey key, ByteBuffer buffer, long now) {
    try {
      if (!connected) {
        if (!channel.finishConnect()) {
          return Result.UNFINISHED;
        }
        connected = true;
        since = now;
      }
    } catch (IOException e) {
      return end(Result.REFUSED, "");
    }
    try {
      if (request.hasRemaining()) {
        channel.write(request);
        key.interestOps(request.hasRemaining() ? SelectionKey.OP_WRITE : SelectionKey.OP_READ);
        return Result.UNFINISHED;
      }
      int got = channel.read(buffer.clear());
      while (got > 0) {
        response.write(buffer.array(), 0, got);
        got = channel.read(buffer.clear());
      }
      return got < 0 ? closed() : Result.UNFINISHED;
    } catch (IOException e) {
      return response.size() == 0 ? end(Result.FAILED, String.valueOf(e.getMessage())) : closed();
    }
  }

  /** Gives a connection or a response up that takes too long. */
  Result expire(long now, long connectNanos, long responseNanos) {
    if (channel == null || now - since < (connected ? responseNanos : connectNanos)) {
      return Result.UNFINISHED;
    }
    return connected ? end(Result.FAILED, "no response in " + responseNanos / 1_000_000_000 + " s") : end(Result.REFUSED, "");
  }

  /** The server has ended the connection, as it was asked to do after the response. */
  private Result closed() {
    String answer = response.toString(StandardCharsets.UTF_8);
    int head = answer.indexOf("\r\n\r\n");
    Matcher length = LENGTH.matcher(answer);
    if (head < 0 || !length.find() || response.size() - head - 4 < Integer.parseInt(length.group(1))) {
      return end(Result.FAILED, response.size() == 0 ? "closed without a response" : "closed within the response");
    }
    if (Integer.parseInt(answer, 9, 12, 10) == HTTP_OK) {
      try {
        session.answered(answer);
        return end(Result.ANSWERED, "");
      } catch (IOException e) {
        return end(Result.FAILED, "a response without a version handle");
      }
    }
    int target = CounterSession.target(answer);
    if (target > 0) {
      at = target - 1;
      return end(Result.REDIRECTED, "");
    }
    Matcher code = CODE.matcher(answer);
    return end(Result.FAILED, code.find() ? code.group(1) : "status " + answer.substring(9, 12));
  }

  private Result end(Result result, String why) {
    reason = why;
    try {
      if (channel != null) {
        channel.close();
      }
    } catch (IOException e) {
      // The request has ended.
    }
    channel = null;
    return result;
  }

  /** Ends the connection, if there is one. */
  void close() {
    end(Result.FAILED, "closed by the client");
  }

  /** When the last request began. */
  long begun() {
    return begun;
  }

  /** Why the last request failed. */
  String reason() {
    return reason;
  }
}
