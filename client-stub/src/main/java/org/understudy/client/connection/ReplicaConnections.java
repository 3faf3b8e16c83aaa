package org.understudy.client.connection;

import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.cxf.transport.http.Headers;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.protocol.HttpClientContext;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.pool.PoolConcurrencyPolicy;
import org.apache.hc.core5.pool.PoolReusePolicy;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;
import org.understudy.client.envelope.Answer;
import org.understudy.client.envelope.AnswerReader;

/**
 * Kept-alive connections to the replicas of one group. Neither this class nor the library below it retries a request: only
 * the caller can decide that safely. Thread-safe; blocks the calling thread.
 */
public final class ReplicaConnections implements AutoCloseable {
  private final CloseableHttpClient client;
  private final ConnectionSettings settings;

  public ReplicaConnections(ConnectionSettings settings) {
    this.settings = settings;
    ReplicaRoutes routes = new ReplicaRoutes(settings.proxy());
    PoolingHttpClientConnectionManager pool = PoolingHttpClientConnectionManagerBuilder.create()
        .setMaxConnPerRoute(settings.maxConnections())
        .setMaxConnTotal(Integer.MAX_VALUE)
        // Last in, first out: otherwise connections would go stale one after another.
        .setConnPoolPolicy(PoolReusePolicy.LIFO)
        .setPoolConcurrencyPolicy(PoolConcurrencyPolicy.LAX)
        .setSocketConfigResolver(routes::sockets)
        // Checking the socket costs a millisecond; a stale connection only costs another attempt.
        .setDefaultConnectionConfig(ConnectionConfig.custom().setValidateAfterInactivity(TimeValue.NEG_ONE_MILLISECOND).build())
        .setTlsSocketStrategy(new TlsSockets(settings.tls()))
        .build();
    HttpClientBuilder builder = HttpClientBuilder.create()
        .setConnectionManager(pool)
        .setRoutePlanner(routes)
        .setUserAgent(Headers.getUserAgent())
        .disableAutomaticRetries()
        .disableRedirectHandling()
        .disableCookieManagement()
        .disableAuthCaching()
        .disableConnectionState();
    if (settings.proxy().authorization() != null) {
      builder.setRequestExecutor(new ProxyAuthorization(settings.proxy().authorization()));
    }
    this.client = builder.build();
  }

  Duration connectTimeout() {
    return settings.connectTimeout();
  }

  /**
   * Sends and waits for the whole answer.
   *
   * @param limit the longest wait for a byte of the answer
   * @throws NotSentException when no byte of the content was sent
   * @throws IOException when the connection broke, the answer did not come in time, is too long or invalid, or
   *     the attempt was aborted
   */
  public Answer send(Attempt attempt, Duration limit) throws IOException {
    attempt.post.setConfig(config(attempt, limit));
    HttpClientContext context = HttpClientContext.create();
    context.setAttribute(TlsSockets.HANDSHAKE_MILLIS, Timeout.of(attempt.connectTimeout()).toMillisecondsIntBound());
    try (ClassicHttpResponse response = client.executeOpen(attempt.host, attempt.post, context)) {
      HttpEntity entity = response.getEntity();
      byte[] bytes = entity == null ? new byte[0] : content(attempt, entity);
      String type = entity == null ? null : entity.getContentType();
      if (isDelimitedByClose(entity) && !AnswerReader.isWhole(response.getCode(), type, bytes)) {
        throw new IOException("The connection was closed within the response.");
      }
      return AnswerReader.read(response.getCode(), type, headers(response), bytes);
    } catch (IOException e) {
      throw attempt.isSent() ? e : new NotSentException(e.getMessage(), e);
    } catch (IllegalStateException | NullPointerException e) {
      // HttpClient's message when an attempt is aborted while it leases its connection from the pool.
      if (attempt.isAborted()) {
        throw new IOException("The attempt was cancelled.", e);
      }
      throw e;
    }
  }

  /** Whether only the end of the connection marks the end of the response, as in HTTP/1.0: it may have been cut off by a proxy. */
  private static boolean isDelimitedByClose(HttpEntity entity) {
    return entity != null && entity.getContentLength() < 0 && !entity.isChunked();
  }

  private byte[] content(Attempt attempt, HttpEntity entity) throws IOException {
    long length = entity.getContentLength();
    if (length > settings.maxResponseBytes()) {
      throw tooLong(attempt);
    }
    try (InputStream in = entity.getContent()) {
      // Memory grows with what arrives, whatever length is announced.
      byte[] bytes = in.readNBytes(length < 0 ? settings.maxResponseBytes() : (int) length);
      // Reaching the end is what gives the connection back for reuse.
      if (in.read() >= 0) {
        throw tooLong(attempt);
      }
      return bytes;
    }
  }

  /** Closes the connection first: the library would otherwise read the rest of the response to reuse it. */
  private IOException tooLong(Attempt attempt) {
    attempt.post.cancel();
    return new IOException("The response is longer than " + settings.maxResponseBytes() + " bytes.");
  }

  private static Map<String, List<String>> headers(ClassicHttpResponse response) {
    Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (Header header : response.getHeaders()) {
      headers.computeIfAbsent(header.getName(), name -> new ArrayList<>(1)).add(header.getValue());
    }
    return headers;
  }

  // The library has a timeout of one request for connecting only there.
  @SuppressWarnings("deprecation")
  private static RequestConfig config(Attempt attempt, Duration limit) {
    Timeout response = Timeout.of(Math.max(1, limit.toMillis()), TimeUnit.MILLISECONDS);
    return RequestConfig.custom()
        .setConnectTimeout(Timeout.of(attempt.connectTimeout()))
        .setResponseTimeout(response)
        .setConnectionRequestTimeout(response)
        .setContentCompressionEnabled(attempt.post.containsHeader(HttpHeaders.ACCEPT_ENCODING))
        .setRedirectsEnabled(false)
        .setAuthenticationEnabled(false)
        .setProtocolUpgradeEnabled(false)
        .build();
  }

  /** Closes every connection; requests in flight fail. */
  @Override
  public void close() {
    client.close(CloseMode.IMMEDIATE);
  }
}
