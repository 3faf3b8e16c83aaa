package org.understudy.test.network;

import java.io.IOException;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** While open, URL connections to other machines fail and are recorded. One at a time in a JVM. */
public final class NoInternet extends ProxySelector implements AutoCloseable {
  private final ProxySelector original = ProxySelector.getDefault();
  private final List<String> elsewhere = new CopyOnWriteArrayList<>();

  /** From now on. */
  public NoInternet() {
    ProxySelector.setDefault(this);
  }

  /** The requested addresses since the last {@link #forget}. */
  public List<String> elsewhere() {
    return List.copyOf(elsewhere);
  }

  /** Clears the record. */
  public void forget() {
    elsewhere.clear();
  }

  @Override
  public List<Proxy> select(URI uri) {
    if (!"127.0.0.1".equals(uri.getHost())) {
      elsewhere.add(uri.toString());
      throw new IllegalArgumentException(uri + " is not on this machine.");
    }
    return List.of(Proxy.NO_PROXY);
  }

  @Override
  public void connectFailed(URI uri, SocketAddress address, IOException e) {
    // The caller gets the exception.
  }

  @Override
  public void close() {
    ProxySelector.setDefault(original);
  }
}
