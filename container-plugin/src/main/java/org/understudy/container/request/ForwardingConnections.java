package org.understudy.container.request;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.notification.connection.TrustAnchors;

/** Kept-alive connections to other replicas' web applications. Never sends a request twice by itself. */
final class ForwardingConnections implements AutoCloseable {
  /**
   * What came back, whole.
   *
   * @param type the content type, or null
   * @param disposition the value of {@link Disposition#HEADER}, or null
   * @param instance the value of {@link CallerProof#INSTANCE}, or null
   */
  record Answer(int status, String type, String disposition, String instance, byte[] body) {}

  /** One try to have an answer, which another thread may break off. */
  static final class Try {
    private Closeable open;
    private boolean brokenOff;

    /** From now on this is what has to be closed. */
    private synchronized void over(Closeable connection) throws ConnectException {
      if (brokenOff) {
        throw new ConnectException("The attempt was cancelled before it began.");
      }
      open = connection;
    }

    /** Nothing is left to be closed. */
    private synchronized void ended() {
      open = null;
    }

    /** Lets the posting thread fail at once. Does not block. */
    synchronized void breakOff() {
      brokenOff = true;
      if (open != null) {
        try {
          open.close();
        } catch (IOException e) {
          LOG.debug("A connection to a replica was not closed cleanly.", e);
        }
      }
    }
  }

  private static final Logger LOG = LoggerFactory.getLogger(ForwardingConnections.class);
  private static final long CONNECT_TIMEOUT_NANOS = 2_000_000_000L;

  private final Map<String, LinkedBlockingDeque<DefaultBHttpClientConnection>> idle = new ConcurrentHashMap<>();
  private final Set<DefaultBHttpClientConnection> open = ConcurrentHashMap.newKeySet();
  private final int mostIdle;
  private final TrustAnchors trust;
  private volatile boolean closed;

  /**
   * @param mostIdle connections kept to one replica
   * @param trust in the certificates of replicas whose addresses are https
   */
  ForwardingConnections(int mostIdle, TrustAnchors trust) {
    this.mostIdle = mostIdle;
    this.trust = trust;
  }

  /**
   * Posts, and waits for the answer.
   *
   * @param end of the waiting, in {@link System#nanoTime()}
   * @throws ConnectException when certainly nothing was sent
   * @throws IOException when the request may have arrived
   */
  Answer post(URI target, Map<String, String> headers, byte[] body, long end, Try attempt) throws IOException {
    var kept = idle.computeIfAbsent(target.getAuthority(), authority -> new LinkedBlockingDeque<>(mostIdle));
    DefaultBHttpClientConnection connection = take(kept);
    if (connection == null) {
      connection = connect(target, end, attempt);
    }
    boolean reusable = false;
    DefaultBHttpClientConnection used = connection;
    try {
      attempt.over(() -> used.close(CloseMode.IMMEDIATE));
      connection.setSocketTimeout(Timeout.ofMilliseconds(millis(end - System.nanoTime())));
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
          response.getCode(),
          header(response, "Content-Type"),
          header(response, Disposition.HEADER),
          header(response, CallerProof.INSTANCE),
          answer);
    } catch (HttpException e) {
      throw new IOException("The response is not valid HTTP.", e);
    } finally {
      attempt.ended();
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

  /** At least one: 0 would mean to wait without end. */
  private static int millis(long nanos) {
    return (int) Math.max(1, Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(nanos)));
  }

  private DefaultBHttpClientConnection connect(URI target, long end, Try attempt) throws IOException {
    boolean tls = "https".equals(target.getScheme());
    Socket socket = new Socket();
    try {
      attempt.over(socket);
      socket.setTcpNoDelay(true);
      int port = target.getPort() >= 0 ? target.getPort() : tls ? 443 : 80;
      socket.connect(new InetSocketAddress(target.getHost(), port),
          millis(Math.min(CONNECT_TIMEOUT_NANOS, end - System.nanoTime())));
      DefaultBHttpClientConnection fresh = new DefaultBHttpClientConnection(Http1Config.DEFAULT);
      fresh.bind(tls ? encrypted(socket, target.getHost(), port, end) : socket);
      open.add(fresh);
      return fresh;
    } catch (IOException e) {
      socket.close();
      ConnectException unreachable = new ConnectException("The connection could not be opened.");
      unreachable.initCause(e);
      throw unreachable;
    }
  }

  private SSLSocket encrypted(Socket socket, String host, int port, long end) throws IOException {
    try {
      SSLSocket tls = (SSLSocket) trust.context().getSocketFactory().createSocket(socket, host, port, true);
      SSLParameters parameters = tls.getSSLParameters();
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      tls.setSSLParameters(parameters);
      tls.setSoTimeout(millis(Math.min(CONNECT_TIMEOUT_NANOS, end - System.nanoTime())));
      tls.startHandshake();
      return tls;
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS is not available.", e);
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
