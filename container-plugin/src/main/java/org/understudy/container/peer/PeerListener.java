package org.understudy.container.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.util.List;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Acceptor;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.PeerSession;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.replication.runtime.inbound.PeerConnection;
import org.understudy.replication.runtime.inbound.PeerServer;

/**
 * An HTTP server for peers only. Each of the few connections has one blocking thread, because the container's connector hands
 * each request from thread to thread (docs/adr/0005). The first two requests of a connection are its handshake.
 */
final class PeerListener implements AutoCloseable {
  /** The content type of handshake messages. */
  static final String HANDSHAKE = "application/vnd.understudy.handshake";

  private static final int MAX_PREALLOCATED_BYTES = 1 << 20;
  private static final int MAX_DESCRIPTION_BYTES = 64 << 10;
  /** Each connection has two, authenticated or not. Larger bodies bypass them, and responses are small. */
  private static final int BUFFER_BYTES = 64 << 10;
  private static final Http1Config HTTP =
      Http1Config.custom()
          .setBufferSize(BUFFER_BYTES)
          .setMaxHeaderCount(50)
          .setMaxLineLength(8 << 10)
          .build();

  private final Configuration configuration;
  private final Credentials credentials;
  private final PeerExchange exchange;
  private PeerServer server;

  PeerListener(Configuration configuration, Credentials credentials, PeerExchange exchange) {
    this.configuration = configuration;
    this.credentials = credentials;
    this.exchange = exchange;
  }

  /** @throws IOException when the address cannot be bound */
  void open() throws IOException {
    server =
        PeerServer.open(
            configuration.peers().get(configuration.self()), configuration.peers().values(), configuration.peerTls(),
            configuration.suspicion(), this::serve);
  }

  /** Begins to accept connections. */
  void start() {
    server.start();
  }

  private void serve(PeerConnection connection) throws IOException {
    Socket socket = connection.socket();
    try (DefaultBHttpServerConnection http = new DefaultBHttpServerConnection("http", HTTP)) {
      http.bind(socket);
      Acceptor acceptor = new Acceptor(credentials);
      PeerSession session = accept(connection, http, acceptor);
      if (session != null) {
        connection.prove(acceptor.peer());
        exchange(connection, http, acceptor, session);
      }
    } catch (HttpException e) {
      throw new IOException(
          "It does not speak HTTP: " + e.getMessage() + " Check that understudy.transfer is the same on all replicas.", e);
    }
  }

  /** Performs the handshake. Returns null when the peer closes the connection. */
  private static PeerSession accept(PeerConnection connection, DefaultBHttpServerConnection http, Acceptor acceptor)
      throws IOException, HttpException {
    ClassicHttpRequest first = http.receiveRequestHeader();
    if (first == null) {
      return null;
    }
    if (!HANDSHAKE.equals(value(first, "Content-Type"))) {
      refuse(http, 403, null);
      throw new RefusedPeerException(
          RefusedPeerException.Reason.PROTOCOL, "It sent a request without a handshake. It is not a replica of the group.");
    }
    try {
      respond(http, acceptor.reply(content(http, first, Acceptor.HELLO_BYTES)));
    } catch (RefusedPeerException e) {
      refuse(http, 403, Acceptor.notice(e));
      throw e;
    }
    connection.recognise();
    ClassicHttpRequest second = http.receiveRequestHeader();
    if (second == null) {
      return null;
    }
    respond(http, acceptor.answer(content(http, second, MAX_DESCRIPTION_BYTES)));
    return acceptor.complete();
  }

  private void exchange(
      PeerConnection connection, DefaultBHttpServerConnection http, Acceptor acceptor, PeerSession session)
      throws IOException, HttpException {
    EnvelopeSeal incoming = new EnvelopeSeal(session.incoming(), session.incomingContent());
    EnvelopeSeal outgoing = new EnvelopeSeal(session.outgoing(), session.outgoingContent());
    // The loop contains one call only: the JVM would interpret other code in it, because the loop runs so long.
    while (exchangeOne(connection, http, acceptor.peer(), incoming, outgoing)) {}
  }

  /** Handles one request. Returns false at the end of the connection. */
  private boolean exchangeOne(
      PeerConnection connection,
      DefaultBHttpServerConnection http,
      ReplicaId peer,
      EnvelopeSeal incoming,
      EnvelopeSeal outgoing)
      throws IOException, HttpException {
    ClassicHttpRequest request = http.receiveRequestHeader();
    if (request == null) {
      return false;
    }
    byte[] body = content(http, request, PeerExchange.MAX_BYTES);
    String contentType = value(request, "Content-Type");
    if (!incoming.verify(value(request, EnvelopeSeal.HEADER), EnvelopeSeal.REQUEST, contentType, null, body)) {
      refuse(http, 403, null);
      throw new RefusedPeerException(
          RefusedPeerException.Reason.FORGED, "A message was altered in transit or replayed. The connection is closed.");
    }
    connection.received();
    PeerExchange.Answer answer;
    synchronized (connection.turn()) {
      if (!connection.isCurrent()) {
        return false;
      }
      answer = body.length == 0 ? PeerExchange.Answer.NOTHING : exchange.handle(peer, contentType, body);
    }
    respond(http, answer, outgoing);
    return true;
  }

  private static byte[] content(DefaultBHttpServerConnection http, ClassicHttpRequest request, int maxBytes)
      throws IOException, HttpException {
    http.receiveRequestEntity(request);
    HttpEntity entity = request.getEntity();
    if (entity == null) {
      return new byte[0];
    }
    long length = entity.getContentLength();
    if (!"POST".equals(request.getMethod()) || length < 0 || length > maxBytes) {
      refuse(http, 413, null);
      throw new RefusedPeerException(
          RefusedPeerException.Reason.PROTOCOL,
          "It sent a " + (length < 0 ? "message without a length" : "message of " + length + " bytes")
              + "; this replica accepts at most " + maxBytes + " bytes.");
    }
    try (InputStream in = entity.getContent()) {
      return content(in, (int) length);
    }
  }

  /** Allocates a small body at once; the memory of a large one grows as it arrives. */
  private static byte[] content(InputStream in, int length) throws IOException {
    if (length > MAX_PREALLOCATED_BYTES) {
      return in.readNBytes(length);
    }
    byte[] body = new byte[length];
    if (in.readNBytes(body, 0, length) < length) {
      throw new java.io.EOFException("The request is truncated.");
    }
    return body;
  }

  private static String value(ClassicHttpRequest request, String name) {
    Header header = request.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  private static void refuse(DefaultBHttpServerConnection http, int status, byte[] notice)
      throws IOException, HttpException {
    ClassicHttpResponse response = new BasicClassicHttpResponse(status);
    response.setHeader("Connection", "close");
    respond(http, response, notice);
  }

  private static void respond(DefaultBHttpServerConnection http, byte[] handshake) throws IOException, HttpException {
    respond(http, new BasicClassicHttpResponse(200), handshake);
  }

  private static void respond(DefaultBHttpServerConnection http, ClassicHttpResponse response, byte[] handshake)
      throws IOException, HttpException {
    response.setHeader("Content-Length", handshake == null ? "0" : Integer.toString(handshake.length));
    if (handshake != null) {
      response.setHeader("Content-Type", HANDSHAKE);
      response.setEntity(new ByteArrayEntity(handshake, null));
    }
    http.sendResponseHeader(response);
    if (handshake != null) {
      http.sendResponseEntity(response);
    }
    http.flush();
  }

  private static void respond(DefaultBHttpServerConnection http, PeerExchange.Answer answer, EnvelopeSeal seal)
      throws IOException, HttpException {
    ClassicHttpResponse response = new BasicClassicHttpResponse(answer.status());
    PeerEnvelope envelope = answer.envelope();
    String contentType = envelope == null ? null : envelope.contentType();
    if (envelope != null) {
      response.setHeader("Content-Type", contentType);
      response.setEntity(new EnvelopeEntity(envelope));
    }
    response.setHeader("Content-Length", envelope == null ? "0" : Long.toString(envelope.length()));
    if (answer.answers() != null) {
      response.setHeader(PeerExchange.ANSWERS, answer.answers());
    }
    List<byte[]> content = envelope == null ? List.of() : envelope.segments();
    response.setHeader(EnvelopeSeal.HEADER, seal.seal(answer.status(), contentType, answer.answers(), content));
    http.sendResponseHeader(response);
    if (envelope != null) {
      http.sendResponseEntity(response);
    }
    http.flush();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
