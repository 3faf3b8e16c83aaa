package org.understudy.container.peer;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.handshake.RefusedPeerException;

/** A kept-alive HTTP connection to a peer, authenticated by both ends. Any thread may write, and one may read. */
final class DialledConnection implements Closeable {
  /** Exceeds what a caller writes, so that a request is one system call and wakes the other end once. */
  static final int BUFFER_BYTES = 256 << 10;

  /**
   * An authenticated HTTP response.
   *
   * @param answers the value of {@link PeerExchange#ANSWERS}, or null
   */
  record Response(int status, String contentType, String answers, byte[] content) {}

  private final Socket raw;
  private final URI url;
  private final DefaultBHttpClientConnection http;
  private final EnvelopeSeal outgoing;
  private final EnvelopeSeal incoming;
  private final int wire;

  private DialledConnection(Socket raw, URI url, DefaultBHttpClientConnection http, PeerSession session) {
    this.raw = raw;
    this.url = url;
    this.http = http;
    this.wire = session.wire();
    this.outgoing = new EnvelopeSeal(session.outgoing(), session.outgoingContent());
    this.incoming = new EnvelopeSeal(session.incoming(), session.incomingContent());
  }

  /**
   * Authenticates both ends to each other. Blocks.
   *
   * @param raw the connected socket; the caller closes it when this throws or takes too long
   * @param tls null for a plain connection
   * @throws RefusedPeerException when one end rejects the other
   */
  static DialledConnection open(Socket raw, URI url, PeerTls tls, Dialer dialer) throws IOException, HttpException {
    if (raw.getLocalSocketAddress().equals(raw.getRemoteSocketAddress())) {
      throw new ConnectException("Nothing listens at " + url + ": the socket connected to itself.");
    }
    DefaultBHttpClientConnection http =
        new DefaultBHttpClientConnection(Http1Config.custom().setBufferSize(BUFFER_BYTES).build());
    if (tls == null) {
      http.bind(raw);
    } else {
      SSLSocket secured = tls.dial(raw, url.getHost(), url.getPort());
      secured.startHandshake();
      http.bind(secured, raw);
    }
    byte[] reply = exchange(http, url, dialer.hello());
    byte[] answer = exchange(http, url, dialer.confirm(reply));
    return new DialledConnection(raw, url, http, dialer.complete(answer));
  }

  /** The newest wire version that both ends read. */
  int wireVersion() {
    return wire;
  }

  /** Sends one message of the handshake and returns the reply. */
  private static byte[] exchange(DefaultBHttpClientConnection http, URI url, byte[] message)
      throws IOException, HttpException {
    BasicClassicHttpRequest request = post(url);
    request.setHeader("Content-Type", PeerListener.HANDSHAKE);
    request.setHeader("Content-Length", Integer.toString(message.length));
    request.setEntity(new ByteArrayEntity(message, null));
    http.sendRequestHeader(request);
    http.sendRequestEntity(request);
    http.flush();
    ClassicHttpResponse response = http.receiveResponseHeader();
    http.receiveResponseEntity(response);
    if (!PeerListener.HANDSHAKE.equals(value(response, "Content-Type"))) {
      throw new RefusedPeerException(
          RefusedPeerException.Reason.PROTOCOL,
          "The server there is not a replica: HTTP status " + response.getCode()
              + ". Check its address and that understudy.transfer is the same on all replicas.");
    }
    return content(response);
  }

  private static BasicClassicHttpRequest post(URI url) {
    BasicClassicHttpRequest request = new BasicClassicHttpRequest("POST", url.getRawPath());
    request.setHeader("Host", url.getAuthority());
    return request;
  }

  /**
   * Writes one request. Blocks until the socket has taken it. An error ends the connection, because half of the request may be sent. The
   * response may arrive while the writing thread has not returned from the socket: the next request waits for it, because both use one
   * buffer.
   *
   * @param envelope null for a ping
   */
  synchronized void write(PeerEnvelope envelope, String action) throws IOException, HttpException {
    try {
      writeNow(envelope, action);
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  private void writeNow(PeerEnvelope envelope, String action) throws IOException, HttpException {
    BasicClassicHttpRequest request = post(url);
    if (envelope == null) {
      request.setHeader("Content-Length", "0");
      request.setHeader(EnvelopeSeal.HEADER, outgoing.seal(EnvelopeSeal.REQUEST, null, null, List.of()));
      http.sendRequestHeader(request);
    } else {
      request.setHeader("Content-Type", envelope.contentType());
      request.setHeader("Content-Length", Long.toString(envelope.length()));
      request.setHeader("SOAPAction", "\"" + action + "\"");
      request.setHeader(
          EnvelopeSeal.HEADER,
          outgoing.seal(EnvelopeSeal.REQUEST, envelope.contentType(), null, envelope.segments()));
      request.setEntity(new EnvelopeEntity(envelope));
      http.sendRequestHeader(request);
      http.sendRequestEntity(request);
    }
    http.flush();
  }

  /** Reads and verifies one response. Blocks until it has arrived. */
  Response read() throws IOException, HttpException {
    ClassicHttpResponse response = http.receiveResponseHeader();
    http.receiveResponseEntity(response);
    Response read =
        new Response(
            response.getCode(), value(response, "Content-Type"), value(response, PeerExchange.ANSWERS), content(response));
    if (!incoming.verify(
        value(response, EnvelopeSeal.HEADER), read.status(), read.contentType(), read.answers(), read.content())) {
      throw new RefusedPeerException(
          RefusedPeerException.Reason.FORGED,
          "A response (HTTP status " + read.status() + ") was altered in transit or is not from the peer. The connection is closed.");
    }
    return read;
  }

  private static String value(ClassicHttpResponse response, String name) {
    Header header = response.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  private static byte[] content(ClassicHttpResponse response) throws IOException {
    if (response.getEntity() == null) {
      return new byte[0];
    }
    try (InputStream content = response.getEntity().getContent()) {
      return content.readNBytes(PeerExchange.MAX_BYTES);
    }
  }

  /** Closes the socket below TLS, which never waits for a writer. */
  @Override
  public void close() throws IOException {
    raw.close();
  }
}
