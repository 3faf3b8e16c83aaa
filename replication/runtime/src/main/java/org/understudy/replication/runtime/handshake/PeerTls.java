package org.understudy.replication.runtime.handshake;

import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.util.Collections;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

/**
 * Mutual TLS 1.3 between peers: each side shows a certificate that the other's trust store accepts, and the certificate of
 * the accepting side must be for the host in {@code understudy.peers}.
 */
public final class PeerTls {
  private static final String[] PROTOCOLS = {"TLSv1.3"};

  private final SSLContext context;

  private PeerTls(SSLContext context) {
    this.context = context;
  }

  /**
   * Reads both key stores (PKCS12 or JKS).
   *
   * @param trustPassword null for a store without one
   * @throws IOException when one cannot be read with its password
   * @throws GeneralSecurityException when one holds nothing usable
   */
  public static PeerTls of(Path keyStore, char[] keyPassword, Path trustStore, char[] trustPassword)
      throws IOException, GeneralSecurityException {
    KeyStore own = load(keyStore, keyPassword);
    KeyStore trusted = load(trustStore, trustPassword);
    boolean key = false;
    for (String alias : Collections.list(own.aliases())) {
      key |= own.isKeyEntry(alias);
    }
    if (!key || keyPassword == null) {
      throw new KeyStoreException("no key in " + keyStore + " can be read with the given password");
    }
    if (trusted.size() == 0) {
      throw new KeyStoreException("no certificate in " + trustStore + " can be read with the given password");
    }
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, keyPassword);
    TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return new PeerTls(context);
  }

  private static KeyStore load(Path store, char[] password) throws IOException, GeneralSecurityException {
    return KeyStore.getInstance(store.toFile(), password);
  }

  /** The key of this replica and the certificates that it trusts, for a group channel. */
  public SSLContext context() {
    return context;
  }

  /** For an outgoing connection. */
  public SSLEngine dialer(String host, int port) {
    SSLEngine engine = context.createSSLEngine(host, port);
    engine.setUseClientMode(true);
    engine.setSSLParameters(dialing(engine.getSSLParameters()));
    return engine;
  }

  /** Over an outgoing connection; the caller starts the handshake. */
  public SSLSocket dial(Socket connected, String host, int port) throws IOException {
    SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(connected, host, port, true);
    socket.setUseClientMode(true);
    socket.setSSLParameters(dialing(socket.getSSLParameters()));
    return socket;
  }

  /** Over an accepted connection; the caller starts the handshake. */
  public SSLSocket accept(Socket accepted) throws IOException {
    SSLSocket socket =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(accepted, accepted.getInetAddress().getHostAddress(), accepted.getPort(), true);
    socket.setUseClientMode(false);
    socket.setEnabledProtocols(PROTOCOLS);
    socket.setNeedClientAuth(true);
    return socket;
  }

  private static SSLParameters dialing(SSLParameters parameters) {
    parameters.setProtocols(PROTOCOLS);
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    return parameters;
  }
}
