package org.understudy.container.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.function.Consumer;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.PeerServer;

/**
 * A server for peers alone: one blocking thread for each of the few connections they make, where the container's connector
 * hands each request from thread to thread (docs/adr/0005).
 */
final class PeerListener implements AutoCloseable {
  private static final int MOST_AT_ONCE_BYTES = 1 << 20;
  private static final Http1Config HTTP =
      Http1Config.custom().setBufferSize(HttpLink.BUFFER_BYTES).setMaxHeaderCount(50).setMaxLineLength(8 << 10).build();

  private final PeerExchange exchange;
  private PeerServer server;

  PeerListener(PeerExchange exchange) {
    this.exchange = exchange;
  }

  /** @throws IOException when the address cannot be used, in one sentence */
  void start(InetSocketAddress address) throws IOException {
    server = PeerServer.open(address, this::serve);
  }

  private void serve(Socket socket, Consumer<ReplicaId> proven) throws IOException {
    try (DefaultBHttpServerConnection connection = new DefaultBHttpServerConnection("http", HTTP)) {
      connection.bind(socket);
      ClassicHttpRequest request = connection.receiveRequestHeader();
      while (request != null) {
        ReplicaId from = exchange.sender(value(request, PeerCredentials.HEADER), socket.getRemoteSocketAddress());
        if (from != null) {
          proven.accept(from);
        }
        PeerExchange.Answer answer = from == null ? PeerExchange.stranger() : take(connection, request, from);
        respond(connection, answer);
        // After a refusal its content may not have been read.
        request = answer.error() == null ? connection.receiveRequestHeader() : null;
      }
    } catch (HttpException e) {
      throw new IOException("It does not speak HTTP: " + e.getMessage(), e);
    }
  }

  private PeerExchange.Answer take(
      DefaultBHttpServerConnection connection, ClassicHttpRequest request, ReplicaId from)
      throws IOException, HttpException {
    if (!"POST".equals(request.getMethod())) {
      return PeerExchange.Answer.refusal(405, "Peer messages are POSTed.");
    }
    connection.receiveRequestEntity(request);
    HttpEntity entity = request.getEntity();
    long length = entity == null ? 0 : entity.getContentLength();
    if (!PeerExchange.isTakenLength(length)) {
      return PeerExchange.lengthRefused();
    }
    byte[] body = new byte[0];
    if (entity != null) {
      try (InputStream in = entity.getContent()) {
        body = content(in, (int) length);
      }
    }
    return exchange.take(from, value(request, "Content-Type"), body);
  }

  /** At once where it is not much; else as it arrives. */
  private static byte[] content(InputStream in, int length) throws IOException {
    if (length > MOST_AT_ONCE_BYTES) {
      return in.readNBytes(length);
    }
    byte[] body = new byte[length];
    if (in.readNBytes(body, 0, length) < length) {
      throw new IOException("The request ends too early.");
    }
    return body;
  }

  private static String value(ClassicHttpRequest request, String name) {
    Header header = request.getFirstHeader(name);
    return header == null ? null : header.getValue();
  }

  private static void respond(DefaultBHttpServerConnection connection, PeerExchange.Answer answer)
      throws IOException, HttpException {
    ClassicHttpResponse response = new BasicClassicHttpResponse(answer.status());
    PeerEnvelope envelope = answer.envelope();
    response.setHeader("Content-Length", envelope == null ? "0" : Long.toString(envelope.length()));
    if (envelope != null) {
      response.setHeader("Content-Type", envelope.contentType());
      response.setEntity(new EnvelopeEntity(envelope));
    }
    if (answer.answers() != null) {
      response.setHeader(PeerExchange.ANSWERS, answer.answers());
    }
    if (answer.error() != null) {
      response.setHeader("Connection", "close");
    }
    connection.sendResponseHeader(response);
    if (envelope != null) {
      connection.sendResponseEntity(response);
    }
    connection.flush();
  }

  @Override
  public void close() {
    if (server != null) {
      server.close();
    }
  }
}
