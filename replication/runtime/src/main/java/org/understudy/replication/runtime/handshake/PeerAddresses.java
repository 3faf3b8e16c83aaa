package org.understudy.replication.runtime.handshake;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Arrays;
import java.util.List;

/** The addresses of a replica's host name. A name can have several, of which one may not answer. */
public final class PeerAddresses {
  /**
   * Uses one address.
   *
   * @param <T> the result
   * @param <E> a failure that has nothing to do with the address
   */
  @FunctionalInterface
  public interface Use<T, E extends Exception> {
    T at(InetSocketAddress address) throws IOException, E;
  }

  private PeerAddresses() {}

  /**
   * Resolves a name. It may resolve differently than before.
   *
   * @throws UnknownHostException when it cannot be resolved, in one sentence
   */
  public static List<InetSocketAddress> of(InetSocketAddress configured) throws UnknownHostException {
    String host = configured.getHostString();
    try {
      return Arrays.stream(InetAddress.getAllByName(host)).map(one -> new InetSocketAddress(one, configured.getPort())).toList();
    } catch (UnknownHostException e) {
      UnknownHostException unknown = new UnknownHostException("The host " + host + " is unknown.");
      unknown.initCause(e);
      throw unknown;
    }
  }

  /**
   * Uses the first address that can be used.
   *
   * @param addresses at least one
   * @throws ConnectException when all are addresses at which nothing listens
   * @throws IOException the first failure of another kind, when none can be used
   */
  public static <T, E extends Exception> T first(List<InetSocketAddress> addresses, Use<T, E> use) throws IOException, E {
    IOException failure = null;
    for (InetSocketAddress address : addresses) {
      try {
        return use.at(address);
      } catch (IOException e) {
        failure = failure == null || failure instanceof ConnectException ? e : failure;
      }
    }
    throw failure == null ? new UnknownHostException("The host has no address.") : failure;
  }
}
