package org.understudy.wsat.coordinator;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import org.apache.cxf.ws.addressing.Names;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.wsat.addressing.AcceptanceTimeout;

/** Whether a server accepts connections: that of a process that has died refuses them at once. */
final class ConnectionProbe {
  private static final Logger LOG = LoggerFactory.getLogger(ConnectionProbe.class);

  private ConnectionProbe() {}

  /**
   * Whether no connection to the server of an address can be made. False where only an attempt to send can show it: behind a proxy, when
   * this process has no socket left, or for an address that names no server. Blocks for as long as a message may take to be accepted.
   */
  static boolean fails(String address) {
    try {
      URI uri = URI.create(address);
      if (uri.getHost() == null || address.startsWith(Names.WSA_NAMESPACE_NAME) || isBehindProxy(uri)) {
        return false;
      }
      int port = uri.getPort() >= 0 ? uri.getPort() : "https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80;
      InetSocketAddress server = new InetSocketAddress(uri.getHost(), port);
      try (Socket socket = new Socket()) {
        socket.connect(server, (int) AcceptanceTimeout.millis());
        return false;
      }
    } catch (ConnectException | NoRouteToHostException | SocketTimeoutException e) {
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
