package org.understudy.client.connection;

import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.URI;
import org.apache.cxf.transport.http.ProxyFactory;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.apache.cxf.transports.http.configuration.ProxyServerType;

/**
 * The proxy between client and replicas.
 *
 * @param type of the server
 * @param server its host name; null for the proxy that the JVM selects
 * @param port of the server
 * @param nonProxyHosts the pattern of hosts that are connected directly; null for none
 * @param authorization the HTTP Proxy-Authorization header's value; null for none
 */
public record ProxySettings(ProxyServerType type, String server, int port, String nonProxyHosts, String authorization) {
  /** What the JVM selects, mostly none. */
  public static final ProxySettings OF_THE_JVM = of(new HTTPClientPolicy(), null);

  public static ProxySettings of(HTTPClientPolicy policy, String authorization) {
    return policy.isSetProxyServer() && !policy.getProxyServer().isEmpty()
        ? new ProxySettings(
            policy.getProxyServerType(), policy.getProxyServer(), policy.getProxyServerPort(), policy.getNonProxyHosts(), authorization)
        : new ProxySettings(ProxyServerType.HTTP, null, 0, null, authorization);
  }

  /** Selects the proxy of an address as CXF does. Returns its address; null for another type or for none. */
  InetSocketAddress select(Proxy.Type wanted, URI address) {
    HTTPClientPolicy policy = new HTTPClientPolicy();
    if (server != null) {
      policy.setProxyServer(server);
      policy.setProxyServerPort(port);
      policy.setProxyServerType(type);
      policy.setNonProxyHosts(nonProxyHosts);
    }
    Proxy proxy = new ProxyFactory().createProxy(policy, address);
    return proxy != null && proxy.type() == wanted ? (InetSocketAddress) proxy.address() : null;
  }
}
