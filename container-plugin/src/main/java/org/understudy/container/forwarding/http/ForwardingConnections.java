package org.understudy.container.forwarding.http;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.HostnameVerificationPolicy;
import org.apache.hc.client5.http.ssl.NoopHostnameVerifier;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.AbstractHttpEntity;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.understudy.container.caller.CallerProof;
import org.understudy.container.forwarding.sealed.HeaderField;
import org.understudy.container.forwarding.sealed.SealedRequest;
import org.understudy.container.response.Disposition;
import org.understudy.notification.connection.TrustAnchors;
import org.understudy.replication.runtime.share.Reservation;
import org.understudy.replication.runtime.share.ReservedBytes;

/**
 * Keeps connections to other replicas' web applications. Neither this class nor the library below it retries a request, follows
 * a redirect, keeps a cookie or decompresses a response. It starts no thread. Thread-safe; blocks the caller.
 */
final class ForwardingConnections implements AutoCloseable {
  /** Fields that each replica writes itself, and cookies, which may name a session that only the other replica has. */
  private static final Set<String> OWN_FIELDS =
      Set.of("content-length", "content-type", "date", "server", "server-timing", "set-cookie", "retry-after");

  /**
   * The complete response of a replica.
   *
   * @param type the content type, or null
   * @param disposition the value of {@link Disposition#HEADER}, or null
   * @param instance the value of {@link CallerProof#INSTANCE}, or null
   * @param fields header fields that the application's interceptors and filters have set for the client, by their names
   */
  record Answer(
      int status, String type, String disposition, String instance, Map<String, List<String>> fields, ReservedBytes content) {
    byte[] body() {
      return content.whole();
    }

    /** Gives back the memory of an answer that is not passed on. */
    void drop() {
      content.drop();
    }
  }

  /** Thrown when the request arrived and its response exceeds the limit. */
  static final class ResponseTooLongException extends IOException {
    private static final long serialVersionUID = 1L;

    ResponseTooLongException(int limit) {
      super("The response is longer than " + limit + " bytes.");
    }
  }

  /** Thrown when the request arrived and this replica has no memory for its response now. */
  static final class NoRoomException extends IOException {
    private static final long serialVersionUID = 1L;

    NoRoomException(String why) {
      super(why);
    }
  }

  /** One attempt, which another thread may cancel. Thread-safe. */
  static final class Try {
    private HttpPost post;
    private boolean cancelled;

    private synchronized void begin(HttpPost request) throws ConnectException {
      if (cancelled) {
        throw new ConnectException("The attempt was cancelled before it began.");
      }
      post = request;
    }

    private synchronized boolean isCancelled() {
      return cancelled;
    }

    /** Cancels the attempt: the posting thread fails at once, also while it connects. Does not block. */
    synchronized void breakOff() {
      cancelled = true;
      if (post != null) {
        post.cancel();
      }
    }
  }

  /** Records whether a byte of the body may have been sent. */
  private static final class Body extends AbstractHttpEntity {
    private final SealedRequest message;
    private boolean sending;

    Body(SealedRequest message) {
      super((String) null, null);
      this.message = message;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
      sending = true;
      message.writeTo(out);
    }

    @Override
    public long getContentLength() {
      return message.size();
    }

    @Override
    public boolean isRepeatable() {
      return true;
    }

    @Override
    public boolean isStreaming() {
      return false;
    }

    @Override
    public InputStream getContent() {
      throw new UnsupportedOperationException("The body is only written.");
    }

    @Override
    public void close() {
      // It holds nothing.
    }
  }

  /** Memory for each byte of a response: an array, and the one that replaces it when it is full. */
  private static final int ANSWER_COST = 3;

  private final CloseableHttpClient client;
  private final int maxResponseBytes;
  private final TrustAnchors trust;
  private volatile boolean closed;

  /**
   * @param connectTimeout for a TCP connection, and again for its TLS handshake
   * @param maxConnections to one replica, active or idle
   * @param maxResponseBytes of one response; a longer one ends the attempt
   * @param trust in the certificates of replicas whose addresses are https
   */
  ForwardingConnections(Duration connectTimeout, int maxConnections, int maxResponseBytes, TrustAnchors trust) {
    this.maxResponseBytes = maxResponseBytes;
    this.trust = trust;
    Timeout connect = Timeout.of(connectTimeout);
    this.client = HttpClients.createMinimal(new ProbedConnections()
        .setMaxConnPerRoute(maxConnections)
        .setMaxConnTotal(Integer.MAX_VALUE)
        .setConnPoolPolicy(PoolReusePolicy.LIFO)
        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
        .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).setSoKeepAlive(true).build())
        .setDefaultConnectionConfig(ConnectionConfig.custom()
            .setConnectTimeout(connect)
            // A request on a connection that the replica has closed would have an unknown outcome. Zero would mean never.
            .setValidateAfterInactivity(TimeValue.ofMilliseconds(1))
            .build())
        .setDefaultTlsConfig(TlsConfig.custom().setHandshakeTimeout(connect).build())
        .setTlsSocketStrategy(this::encrypt)
        .build());
  }

  /** Upgrades a connection to TLS. Loads the trust anchors only if a replica has an https address. */
  private SSLSocket encrypt(Socket socket, String host, int port, Object config, HttpContext context) throws IOException {
    try {
      // The JVM verifies the name in the certificate (BUILTIN), so the library needs no verifier besides.
      TlsSocketStrategy tls = new DefaultClientTlsStrategy(
          trust.context(), HostnameVerificationPolicy.BUILTIN, NoopHostnameVerifier.INSTANCE);
      return tls.upgrade(socket, host, port, config, context);
    } catch (GeneralSecurityException e) {
      throw new IOException("TLS is not available.", e);
    }
  }

  /**
   * Posts a request and waits for the response.
   *
   * @param replica the address of its web application
   * @param path relative to the web application, as the client wrote it
   * @param reservation counts the response while it arrives, and until it is dropped
   * @param end the deadline of the wait, in {@link System#nanoTime()}
   * @throws ConnectException when the request certainly did not arrive completely
   * @throws ResponseTooLongException when it arrived, and the response exceeds the limit
   * @throws NoRoomException when it arrived, and the response exceeds what may be reserved now
   * @throws IOException when the request may have arrived
   */
  Answer post(URI replica, String path, Map<String, String> headers, SealedRequest body, Reservation reservation, long end, Try attempt)
      throws IOException {
    HttpPost post = new HttpPost(replica);
    post.setPath(replica.getRawPath() + path);
    headers.forEach(post::setHeader);
    Body content = new Body(body);
    post.setEntity(content);
    Timeout remaining = remaining(end);
    post.setConfig(RequestConfig.custom().setConnectionRequestTimeout(remaining).setResponseTimeout(remaining).build());
    attempt.begin(post);
    HttpHost host = new HttpHost(replica.getScheme(), replica.getHost(), replica.getPort());
    try (ClassicHttpResponse response = client.executeOpen(host, post, null)) {
      ReservedBytes answer = new ReservedBytes(reservation, ANSWER_COST, maxResponseBytes);
      if (response.getEntity() != null) {
        read(post, response.getEntity(), answer);
      }
      return new Answer(
          response.getCode(),
          header(response, "Content-Type"),
          header(response, Disposition.HEADER),
          header(response, CallerProof.INSTANCE),
          fields(response),
          answer);
    } catch (IOException e) {
      throw content.sending ? e : unreachable(e);
    } catch (IllegalStateException | NullPointerException e) {
      // The library throws these when the attempt is cancelled, or the pool closed, while it acquires a connection.
      if (closed || attempt.isCancelled()) {
        throw content.sending ? new IOException("The attempt was cancelled.", e) : unreachable(e);
      }
      throw e;
    }
  }

  private static ConnectException unreachable(Exception cause) {
    ConnectException unreachable = new ConnectException("The request could not be sent on any connection.");
    unreachable.initCause(cause);
    return unreachable;
  }

  /** Returns the remaining time, at least a millisecond: 0 would mean no timeout. */
  private static Timeout remaining(long end) {
    return Timeout.ofMilliseconds(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
  }

  private void read(HttpPost post, HttpEntity entity, ReservedBytes answer) throws IOException {
    boolean read = false;
    if (entity.getContentLength() > maxResponseBytes) {
      throw tooLong(post);
    }
    try (InputStream in = entity.getContent()) {
      while (answer.length() < maxResponseBytes) {
        String full = answer.room();
        if (full != null) {
          post.cancel();
          throw new NoRoomException(full);
        }
        if (answer.read(in) < 0) {
          read = true;
          return;
        }
      }
      // The connection is free for reuse only after the end has been read.
      if (in.read() >= 0) {
        throw tooLong(post);
      }
      read = true;
    } finally {
      if (!read) {
        answer.drop();
      }
    }
  }

  /** Closes the connection first: the library would otherwise read the rest of the response to reuse it. */
  private IOException tooLong(HttpPost post) {
    post.cancel();
    return new ResponseTooLongException(maxResponseBytes);
  }

  private static String header(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  private static Map<String, List<String>> fields(ClassicHttpResponse response) {
    Map<String, List<String>> fields = new LinkedHashMap<>();
    for (Header header : response.getHeaders()) {
      String name = header.getName().toLowerCase(Locale.ROOT);
      if (!HeaderField.isOfOneHop(name) && !OWN_FIELDS.contains(name) && !name.startsWith("understudy-")) {
        fields.computeIfAbsent(header.getName(), any -> new ArrayList<>()).add(header.getValue());
      }
    }
    return fields;
  }

  /** Closes every connection; requests in progress fail. */
  @Override
  public void close() {
    closed = true;
    client.close(CloseMode.IMMEDIATE);
  }
}
