package org.understudy.container.forwarding.http;

import java.io.IOException;
import java.net.Proxy;
import java.net.Socket;
import java.net.SocketOption;
import java.util.Map;
import jdk.net.ExtendedSocketOptions;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.URIScheme;
import org.apache.hc.core5.http.config.RegistryBuilder;

/**
 * Builds a pool of connections that TCP probes after five seconds without data: while a method runs, nothing else shows that the other end
 * has lost the connection. The blocking client of the library ignores these options of its own {@code SocketConfig}, and takes only the one
 * that enables the probes.
 */
final class ProbedConnections extends PoolingHttpClientConnectionManagerBuilder {
  /** Seconds before the first probe, seconds between two, and how many without an answer end the connection. */
  private static final Map<SocketOption<Integer>, Integer> OPTIONS =
      Map.of(
          ExtendedSocketOptions.TCP_KEEPIDLE, 5, ExtendedSocketOptions.TCP_KEEPINTERVAL, 5, ExtendedSocketOptions.TCP_KEEPCOUNT, 3);

  @Override
  protected HttpClientConnectionOperator createConnectionOperator(SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
    return new DefaultHttpClientConnectionOperator(
        ProbedConnections::socket, ports, names,
        RegistryBuilder.<TlsSocketStrategy>create().register(URIScheme.HTTPS.id, tls).build());
  }

  /**
   * Returns a socket that is not connected. Systems without these options probe after their own time.
   *
   * @param proxy null for none
   */
  static Socket socket(Proxy proxy) throws IOException {
    Socket socket = proxy == null ? new Socket() : new Socket(proxy);
    socket.setKeepAlive(true);
    for (Map.Entry<SocketOption<Integer>, Integer> option : OPTIONS.entrySet()) {
      if (socket.supportedOptions().contains(option.getKey())) {
        socket.setOption(option.getKey(), option.getValue());
      }
    }
    return socket;
  }
}
