package org.understudy.container.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.DefaultBHttpServerConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;

/**
 * A server for peers alone: one blocking thread for each of the few connections they make, where the container's connector
 * hands each request from thread to thread (docs/adr/0005). Whoever does not prove itself soon loses its connection, and
 * only a few may try at a time.
 */
final class PeerListener implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PeerListener.class);
  private static final int STRANGER_TIMEOUT_MS = 2_000;
  private static final int MOST_STRANGERS = 16;
  private static final int MOST_AT_ONCE_BYTES = 1 << 20;
  private static final Http1Config HTTP =
      Http1Config.custom().setBufferSize(HttpLink.BUFFER_BYTES).setMaxHeaderCount(50).setMaxLineLength(8 << 10).build();

  private final InetSocketAddress address;
  private final PeerExchange exchange;
  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
  private final Set<Socket> open = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private ServerSocketChannel server;
  private volatile boolean closed;

  PeerListener(InetSocketAddress address, PeerExchange exchange) {
    this.address = address;
    this.exchange = exchange;
  }

  /** @throws IOException when the address cannot be used, in one sentence */
  void start() throws IOException {
    server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(address);
    } catch (IOException e) {
      server.close();
      throw new IOException(
          "The peer address " + address + " cannot be opened: " + e.getMessage() + "; is the port in use?", e);
    }
    daemon(this::accept, "understudy-peers");
  }

  private static void daemon(Runnable task, String name) {
    Thread thread = new Thread(task, name);
    thread.setDaemon(true);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      try {
        // Of a channel, so that a read is one call to the kernel and not three.
        Socket socket = server.accept().socket();
        if (strangers.tryAcquire()) {
          open.add(socket);
          daemon(() -> serve(socket), "understudy-peer-in");
        } else {
          socket.close();
        }
      } catch (IOException e) {
        if (!closed) {
          LOG.warn("A peer could not be accepted: {}", e.getMessage());
        }
      }
    }
  }

  private void serve(Socket socket) {
    boolean stranger = true;
    try (socket; DefaultBHttpServerConnection connection = new DefaultBHttpServerConnection("http", HTTP)) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(STRANGER_TIMEOUT_MS);
      connection.bind(socket);
      while (!closed) {
        ClassicHttpRequest request = connection.receiveRequestHeader();
        if (request == null) {
          return;
        }
        ReplicaId from = exchange.sender(value(request, PeerCredentials.HEADER), socket.getRemoteSocketAddress());
        if (from != null && stranger) {
          stranger = false;
          strangers.release();
          socket.setSoTimeout(0);
          Thread.currentThread().setName("understudy-from-" + from);
        }
        PeerExchange.Answer answer = from == null ? PeerExchange.stranger() : take(connection, request, from);
        respond(connection, answer);
        if (answer.error() != null) {
          // Its content may not have been read.
          return;
        }
      }
    } catch (IOException | HttpException e) {
      LOG.debug("A connection of a peer ended: {}", e.getMessage());
    } finally {
      if (stranger) {
        strangers.release();
      }
      open.remove(socket);
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
    closed = true;
    try {
      if (server != null) {
        server.close();
      }
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection did not close.", e);
    }
  }
}
