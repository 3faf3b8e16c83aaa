package org.understudy.client.connection;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import org.apache.hc.client5.http.HttpRoute;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Routes requests through the proxy of the settings. */
final class ReplicaRoutes extends DefaultRoutePlanner {
  private final ProxySettings settings;

  ReplicaRoutes(ProxySettings settings) {
    super(null);
    this.settings = settings;
  }

  @Override
  protected HttpHost determineProxy(HttpHost target, HttpContext context) {
    InetSocketAddress proxy = settings.select(Proxy.Type.HTTP, URI.create(target.toURI()));
    return proxy == null ? null : new HttpHost(proxy.getHostString(), proxy.getPort());
  }

  /** A SOCKS proxy is below HTTP: the socket connects through it. */
  SocketConfig sockets(HttpRoute route) {
    SocketConfig.Builder sockets = SocketConfig.custom().setTcpNoDelay(true);
    if (route.getProxyHost() == null) {
      sockets.setSocksProxyAddress(settings.select(Proxy.Type.SOCKS, URI.create(route.getTargetHost().toURI())));
    }
    return sockets.build();
  }
}
