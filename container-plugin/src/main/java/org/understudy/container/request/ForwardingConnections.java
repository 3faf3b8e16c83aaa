package org.understudy.container.request;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/** Kept-alive connections to other replicas' web applications. Never sends a request twice by itself. */
final class ForwardingConnections implements AutoCloseable {
  /**
   * What came back, whole.
   *
   * @param type the content type, or null
   * @param disposition the value of {@link Disposition#HEADER}, or null
   */
  record Answer(int status, String type, String disposition, byte[] body) {}

  private static final int CONNECT_TIMEOUT_MS = 2_000;

  private final Map<String, LinkedBlockingDeque<DefaultBHttpClientConnection>> idle = new ConcurrentHashMap<>();
  private final Set<DefaultBHttpClientConnection> open = ConcurrentHashMap.newKeySet();
  private final int mostIdle;
  private volatile boolean closed;

  /** @param mostIdle connections kept to one replica */
  ForwardingConnections(int mostIdle) {
    this.mostIdle = mostIdle;
  }

  /**
   * Posts, and waits for the answer.
   *
   * @throws ConnectException when certainly nothing was sent
   * @throws IOException when the request may have arrived
   */
  Answer post(URI target, Map<String, String> headers, byte[] body, Duration deadline) throws IOException {
    var kept = idle.computeIfAbsent(target.getAuthority(), authority -> new LinkedBlockingDeque<>(mostIdle));
    DefaultBHttpClientConnection connection = take(kept);
    if (connection == null) {
      connection = connect(target);
    }
    boolean reusable = false;
    try {
      connection.setSocketTimeout(Timeout.of(deadline));
      BasicClassicHttpRequest request = new BasicClassicHttpRequest("POST", target.getRawPath());
      request.setHeader("Host", target.getAuthority());
      headers.forEach(request::setHeader);
      request.setHeader("Content-Length", Integer.toString(body.length));
      request.setEntity(new ByteArrayEntity(body, (ContentType) null));
      connection.sendRequestHeader(request);
      connection.sendRequestEntity(request);
      connection.flush();
      ClassicHttpResponse response = connection.receiveResponseHeader();
      connection.receiveResponseEntity(response);
      byte[] answer = new byte[0];
      if (response.getEntity() != null) {
        try (InputStream content = response.getEntity().getContent()) {
          answer = content.readAllBytes();
        }
      }
      reusable = !response.containsHeader("Connection") && !closed;
      return new Answer(
          response.getCode(), header(response, "Content-Type"), header(response, Disposition.HEADER), answer);
    } catch (HttpException e) {
      throw new IOException("The answer is no HTTP.", e);
    } finally {
      if (!reusable || !kept.offerFirst(connection)) {
        drop(connection);
      }
    }
  }

  private static String header(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  private DefaultBHttpClientConnection take(LinkedBlockingDeque<DefaultBHttpClientConnection> kept) {
    for (DefaultBHttpClientConnection one = kept.pollFirst(); one != null; one = kept.pollFirst()) {
      try {
        if (!one.isStale()) {
          return one;
        }
      } catch (IOException e) {
        // As stale as can be.
      }
      drop(one);
    }
    return null;
  }

  private DefaultBHttpClientConnection connect(URI target) throws IOException {
    if (!"http".equals(target.getScheme())) {
      throw new ConnectException("Only plain HTTP is spoken here, not " + target.getScheme() + ".");
    }
    Socket socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      int port = target.getPort() < 0 ? 80 : target.getPort();
      socket.connect(new InetSocketAddress(target.getHost(), port), CONNECT_TIMEOUT_MS);
      DefaultBHttpClientConnection fresh = new DefaultBHttpClientConnection(Http1Config.DEFAULT);
      fresh.bind(socket);
      open.add(fresh);
      return fresh;
    } catch (IOException e) {
      socket.close();
      ConnectException unreachable = new ConnectException("There is no connection.");
      unreachable.initCause(e);
      throw unreachable;
    }
  }

  private void drop(DefaultBHttpClientConnection connection) {
    open.remove(connection);
    connection.close(CloseMode.IMMEDIATE);
  }

  @Override
  public void close() {
    closed = true;
    open.forEach(this::drop);
  }
}
