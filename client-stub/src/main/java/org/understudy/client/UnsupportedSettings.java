package org.understudy.client;

import java.util.ArrayList;
import java.util.List;
import org.apache.cxf.message.Message;
import org.apache.cxf.transport.http.HTTPConduit;
import org.apache.cxf.transport.http.Headers;
import org.apache.cxf.transport.http.MessageTrustDecider;
import org.apache.cxf.transports.http.configuration.HTTPClientPolicy;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.client.invocation.InvocationFailedException;
import org.understudy.replication.api.Certainty;

/**
 * Names the settings of a conduit that have no effect: those for which CXF sends a request a second time, or to an address that the
 * group does not know. Thread-safe.
 */
final class UnsupportedSettings {
  private static final Logger LOG = LoggerFactory.getLogger(UnsupportedSettings.class);
  private volatile List<String> lastNamed = List.of();

  /**
   * Logs one line when it finds others than the last time.
   *
   * @param message with the headers of the conduit's settings
   * @throws InvocationFailedException for a setting without which a call would be insecure or remain without an answer
   */
  void check(HTTPConduit conduit, Message message, HTTPClientPolicy policy) throws InvocationFailedException {
    if (conduit.getTrustDecider() != null || message.get(MessageTrustDecider.class) != null) {
      throw notSent(
          "The port " + conduit.getConduitName() + " has a MessageTrustDecider, which a fault-tolerant port cannot ask (set trust managers,"
              + " a HostnameVerifier or certConstraints in its TLSClientParameters)");
    }
    if (policy.isSetDecoupledEndpoint()) {
      throw notSent(
          "The port " + conduit.getConduitName() + " has a DecoupledEndpoint, but a fault-tolerant port receives answers only on the"
              + " connection of the request (remove it)");
    }
    List<String> named = found(conduit, message, policy);
    if (!named.isEmpty() && !named.equals(lastNamed)) {
      lastNamed = named;
      LOG.warn(
          "The port {} ignores {}: a fault-tolerant port sends a request again only under the same number, to a replica of its group.",
          conduit.getConduitName(), String.join(", ", named));
    }
  }

  private static InvocationFailedException notSent(String why) {
    return new InvocationFailedException(why, List.of(), Certainty.NOT_EXECUTED, null, null);
  }

  private static List<String> found(HTTPConduit conduit, Message message, HTTPClientPolicy policy) {
    List<String> found = new ArrayList<>(0);
    if (policy.isAutoRedirect()) {
      found.add("AutoRedirect");
    }
    if (policy.getMaxRetransmits() > 0) {
      found.add("MaxRetransmits");
    }
    if (policy.isSetVersion() && policy.getVersion().startsWith("2")) {
      found.add("Version " + policy.getVersion() + " (requests are HTTP 1.1)");
    }
    if (conduit.getAuthSupplier().requiresRequestCaching() && !Headers.getSetProtocolHeaders(message).containsKey("Authorization")) {
      found.add("authentication by a challenge (" + conduit.getAuthSupplier().getClass().getSimpleName() + ", use Basic over TLS)");
    }
    if (conduit.getProxyAuthSupplier().requiresRequestCaching()
        && !Headers.getSetProtocolHeaders(message).containsKey("Proxy-Authorization")) {
      found.add("authentication by a proxy's challenge (" + conduit.getProxyAuthSupplier().getClass().getSimpleName() + ", use Basic)");
    }
    return found;
  }
}
