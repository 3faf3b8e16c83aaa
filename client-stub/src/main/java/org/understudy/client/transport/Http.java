package org.understudy.client.transport;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManager;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.util.Timeout;
import org.understudy.client.FaultTolerance;

/** Kept-alive HTTP. Never sends anything twice by itself: that is for who knows of request ids. Thread-safe. */
public final class Http implements AutoCloseable {
  private static final int MOST_CONNECTIONS = 4_096;

  private final CloseableHttpClient client;

  /**
   * @param headers of the response, by their names in lower case
   */
  public record Response(int status, String contentType, byte[] body, Map<String, String> headers) {}

  public Http(FaultTolerance settings) {
    PoolingHttpClientConnectionManager connections =
        PoolingHttpClientConnectionManagerBuilder.create()
            .setMaxConnPerRoute(MOST_CONNECTIONS)
            .setMaxConnTotal(MOST_CONNECTIONS)
            .setDefaultSocketConfig(SocketConfig.custom().setTcpNoDelay(true).build())
            .setDefaultConnectionConfig(
                ConnectionConfig.custom()
                    .setConnectTimeout(timeout(settings.connectTimeout().toMillis()))
                    .setSocketTimeout(timeout(settings.responseTimeout().toMillis()))
                    .setValidateAfterInactivity(timeout(1_000))
                    .build())
            .build();
    client =
        HttpClients.custom()
            .setConnectionManager(connections)
            .setDefaultRequestConfig(
                RequestConfig.custom()
                    .setResponseTimeout(timeout(settings.responseTimeout().toMillis()))
                    .setConnectionRequestTimeout(timeout(settings.connectTimeout().toMillis()))
                    .build())
            .disableAutomaticRetries()
            .disableRedirectHandling()
            .disableCookieManagement()
            .disableContentCompression()
            .setUserAgent("Understudy")
            .build();
  }

  private static Timeout timeout(long millis) {
    return Timeout.of(millis, TimeUnit.MILLISECONDS);
  }

  /** A request that another thread may abort: {@link HttpPost#cancel()} closes its socket. */
  public static HttpPost post(URI address, String contentType, String action, byte[] body) {
    HttpPost post = new HttpPost(address);
    post.setEntity(new ByteArrayEntity(body, null));
    post.setHeader("Content-Type", contentType);
    if (action != null) {
      post.setHeader("SOAPAction", action);
    }
    return post;
  }

  public Response execute(HttpPost post) throws IOException {
    return client.execute(
        post,
        response -> {
          byte[] body = response.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(response.getEntity());
          Header type = response.getFirstHeader("Content-Type");
          Header timing = response.getFirstHeader("Server-Timing");
          return new Response(
              response.getCode(),
              type == null ? "text/xml" : type.getValue(),
              body,
              timing == null ? Map.of() : Map.of("server-timing", timing.getValue()));
        });
  }

  /** For headers that the application's stack has set. */
  public static String first(Map<String, List<String>> headers, String name) {
    if (headers != null) {
      for (Map.Entry<String, List<String>> header : headers.entrySet()) {
        if (header.getKey().equalsIgnoreCase(name) && !header.getValue().isEmpty()) {
          return header.getValue().get(0);
        }
      }
    }
    return null;
  }

  @Override
  public void close() {
    client.close(org.apache.hc.core5.io.CloseMode.IMMEDIATE);
  }
}
