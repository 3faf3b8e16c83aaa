package org.understudy.client.connection;

import java.time.Duration;
import javax.net.ssl.HostnameVerifier;
import org.apache.cxf.configuration.jsse.TLSClientParameters;

/**
 * The settings of connections.
 *
 * @param connectTimeout for one TCP connection, and again for its TLS handshake, where an attempt has no other one
 * @param maxConnections open at once to one replica
 * @param maxResponseBytes of one answer
 * @param tls for https addresses; those without any value take the JVM's defaults
 * @param verifier that of {@code tls}, which its own comparison leaves out
 */
public record ConnectionSettings(
    Duration connectTimeout, int maxConnections, int maxResponseBytes, TLSClientParameters tls, HostnameVerifier verifier,
    ProxySettings proxy) {
  public ConnectionSettings(
      Duration connectTimeout, int maxConnections, int maxResponseBytes, TLSClientParameters tls, ProxySettings proxy) {
    this(connectTimeout, maxConnections, maxResponseBytes, tls, tls.getHostnameVerifier(), proxy);
  }
}
