package org.understudy.client.connection;

import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.logging.Logger;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.apache.cxf.common.logging.LogUtils;
import org.apache.cxf.configuration.jsse.TLSClientParameters;
import org.apache.cxf.transport.https.CertConstraints;
import org.apache.cxf.transport.https.CertConstraintsJaxBUtils;
import org.apache.cxf.transport.https.SSLUtils;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.protocol.HttpContext;

/** Makes TLS connections with CXF's parameters, which CXF's own classes interpret. Thread-safe. */
final class TlsSockets implements TlsSocketStrategy {
  /** The attribute of a request's context: the milliseconds for the handshake. */
  static final String HANDSHAKE_MILLIS = "org.understudy.client.handshakeMillis";
  private static final Logger LOG = LogUtils.getL7dLogger(TlsSockets.class);

  private final TLSClientParameters parameters;
  private final CertConstraints constraints;
  /** Guarded by this; made for the first connection, because it may read files. */
  private SSLSocketFactory factory;

  TlsSockets(TLSClientParameters parameters) {
    this.parameters = parameters;
    this.constraints =
        parameters.getCertConstraints() == null ? null : CertConstraintsJaxBUtils.createCertConstraints(parameters.getCertConstraints());
  }

  @Override
  public SSLSocket upgrade(Socket socket, String target, int port, Object attachment, HttpContext context) throws IOException {
    if (context.getAttribute(HANDSHAKE_MILLIS) instanceof Integer millis) {
      socket.setSoTimeout(millis);
    }
    SSLSocket upgraded = (SSLSocket) factory().createSocket(socket, target, port, true);
    try {
      upgraded.setSSLParameters(configured(upgraded));
      upgraded.startHandshake();
      verify(target, upgraded.getSession());
      return upgraded;
    } catch (IOException | RuntimeException e) {
      upgraded.close();
      throw e;
    }
  }

  private synchronized SSLSocketFactory factory() throws IOException {
    if (factory == null) {
      try {
        factory = newFactory();
      } catch (GeneralSecurityException e) {
        throw new IOException("The TLS parameters of the port are invalid: " + e.getMessage(), e);
      }
    }
    return factory;
  }

  private SSLSocketFactory newFactory() throws GeneralSecurityException {
    if (parameters.getSSLSocketFactory() != null) {
      return parameters.getSSLSocketFactory();
    }
    if (parameters.isUseHttpsURLConnectionDefaultSslSocketFactory()) {
      return HttpsURLConnection.getDefaultSSLSocketFactory();
    }
    SSLContext context = parameters.getSslContext();
    return (context == null ? SSLUtils.getSSLContext(parameters) : context).getSocketFactory();
  }

  private SSLParameters configured(SSLSocket socket) {
    SSLParameters tls = socket.getSSLParameters();
    if (parameters.getSSLSocketFactory() == null && !parameters.isUseHttpsURLConnectionDefaultSslSocketFactory()) {
      tls.setCipherSuites(
          org.apache.cxf.configuration.jsse.SSLUtils.getCiphersuitesToInclude(
              parameters.getCipherSuites(), parameters.getCipherSuitesFilter(), tls.getCipherSuites(), socket.getSupportedCipherSuites(),
              LOG));
      String protocol = parameters.getSecureSocketProtocol();
      // A name without a version, as TLS, allows all of them.
      if (protocol != null && List.of(socket.getSupportedProtocols()).contains(protocol)) {
        tls.setProtocols(new String[] {protocol});
      } else if (parameters.getSslContext() == null) {
        tls.setProtocols(TLSClientParameters.getPreferredClientProtocols());
      }
    }
    if (parameters.getServerNames() != null) {
      tls.setServerNames(parameters.getServerNames().stream().<SNIServerName>map(SNIHostName::new).toList());
    }
    return tls;
  }

  private void verify(String target, SSLSession session) throws SSLPeerUnverifiedException {
    X509Certificate certificate = (X509Certificate) session.getPeerCertificates()[0];
    if (!SSLUtils.getHostnameVerifier(parameters).verify(target, session)) {
      throw new SSLPeerUnverifiedException("The certificate of " + certificate.getSubjectX500Principal() + " is not one of " + target);
    }
    if (constraints != null && !constraints.matches(certificate)) {
      throw new SSLPeerUnverifiedException(
          "The certificate of " + certificate.getSubjectX500Principal() + " does not satisfy the port's certificate constraints");
    }
  }
}
