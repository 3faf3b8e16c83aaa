package org.understudy.wsat.coordinator;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.URI;
import org.apache.cxf.ws.addressing.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whether a server accepts connections: that of a process that has died refuses them at once. */
final class ConnectionProbe {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionProbe.class);
  private static final int TIMEOUT_MS = 1_000;

  private ConnectionProbe() {}

  /**
   * Whether connections to the server of an address are refused. False where only an attempt to send can show it: behind a proxy, for an
   * address that names no server, when this process has no socket left, or nothing answers. Blocks for a second at most.
   */
  static boolean isRefused(String address) {
    try {
      URI uri = URI.create(address);
      if (uri.getHost() == null || address.startsWith(Names.WSA_NAMESPACE_NAME) || isBehindProxy(uri)) {
        return false;
      }
      int port = uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
      InetSocketAddress server = new InetSocketAddress(uri.getHost(), port);
      try (Socket socket = new Socket()) {
        socket.connect(server, TIMEOUT_MS);
        return false;
      }
    } catch (ConnectException | NoRouteToHostException e) {
      LOG.debug("{} accepts no connection.", address, e);
      return true;
    } catch (IOException | IllegalArgumentException e) {
      LOG.debug("Whether {} accepts connections is not known.", address, e);
      return false;
    }
  }

  private static boolean isBehindProxy(URI address) {
    ProxySelector selector = ProxySelector.getDefault();
    return selector != null && !selector.select(address).stream().allMatch(Proxy.NO_PROXY::equals);
  }
}
