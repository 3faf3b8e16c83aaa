package org.understudy.container.health;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;

/**
 * Serves {@code GET /health/...} on a dedicated port and thread, also while every thread of Tomcat is busy. It serves one
 * request for each connection and does not block on clients. It closes a connection that has not sent its request within 5 s, and
 * the oldest of more than 64 connections.
 */
public final class HealthServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HealthServer.class);
  private static final int MAX_CONNECTIONS = 64;
  private static final int MAX_REQUEST_BYTES = 4_096;
  private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(5);
  private static final long SELECT_MS = 1_000;
  private static final long FAILURE_PAUSE_MS = 100;

  private final HealthReport health;
  private final Selector selector;
  private final ServerSocketChannel server;
  /** Ordered by age, the oldest first. */
  private final Deque<Connection> connections = new ArrayDeque<>();
  private final Thread thread;

  /**
   * Binds the address and starts the thread.
   *
   * @throws IOException when the address cannot be bound
   */
  public HealthServer(HealthReport health, InetSocketAddress address) throws IOException {
    this.health = health;
    this.selector = Selector.open();
    this.server = ServerSocketChannel.open();
    try {
      server.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      server.bind(address);
      server.configureBlocking(false);
      server.register(selector, SelectionKey.OP_ACCEPT);
    } catch (IOException e) {
      server.close();
      selector.close();
      throw new IOException("The health port cannot listen at " + address + ": " + e.getMessage() + ".", e);
    }
    this.thread = DaemonThreads.daemon("understudy-health", new PersistentLoop("The health port", this::run));
    thread.start();
  }

  private static final class Connection {
    final SocketChannel channel;
    final ByteBuffer request = ByteBuffer.allocate(MAX_REQUEST_BYTES);
    final long since = System.nanoTime();

    Connection(SocketChannel channel) {
      this.channel = channel;
    }
  }

  private void run() {
    while (selector.isOpen()) {
      try {
        selector.select(SELECT_MS);
        if (!selector.isOpen()) {
          return;
        }
        for (SelectionKey key : selector.selectedKeys()) {
          if (key.attachment() == null) {
            accept();
          } else {
            read((Connection) key.attachment());
          }
        }
        selector.selectedKeys().clear();
        closeExpired();
      } catch (IOException | RuntimeException e) {
        LOG.debug("A connection to the health port failed.", e);
        pause();
      }
    }
  }

  /** Avoids a busy loop: without file descriptors, the selector reports the same pending connection again at once. */
  private static void pause() {
    try {
      Thread.sleep(FAILURE_PAUSE_MS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void accept() throws IOException {
    SocketChannel channel = server.accept();
    if (channel == null) {
      return;
    }
    channel.configureBlocking(false);
    Connection connection = new Connection(channel);
    channel.register(selector, SelectionKey.OP_READ, connection);
    connections.addLast(connection);
    if (connections.size() > MAX_CONNECTIONS) {
      close(connections.peekFirst());
    }
  }

  private void read(Connection connection) {
    try {
      int count = connection.channel.read(connection.request);
      String request =
          new String(connection.request.array(), 0, connection.request.position(), StandardCharsets.ISO_8859_1);
      if (request.contains("\r\n\r\n")) {
        // A response fits the send buffer of a new connection: one write sends all of it.
        connection.channel.write(StandardCharsets.UTF_8.encode(answer(request)));
        connection.channel.shutdownOutput();
        close(connection);
      } else if (count < 0 || !connection.request.hasRemaining()) {
        close(connection);
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("A connection to the health port failed.", e);
      close(connection);
    }
  }

  private String answer(String request) {
    String[] words = request.substring(0, request.indexOf('\r')).split(" ");
    boolean head = words[0].equals("HEAD");
    String path = words.length < 2 ? "" : words[1].replaceFirst("\\?.*", "");
    int health = path.indexOf("/health/");
    HealthReport.Answer answer =
        health < 0 || !head && !words[0].equals("GET") ? null : this.health.answer(path.substring(health + 7));
    String status = answer == null ? "404 Not Found" : answer.status() == 200 ? "200 OK" : "503 Service Unavailable";
    String body = answer == null ? this.health.usage() + "\n" : answer.body();
    return "HTTP/1.1 " + status + "\r\nContent-Type: " + (answer == null ? "text/plain" : "application/json")
        + "\r\nContent-Length: " + body.getBytes(StandardCharsets.UTF_8).length + "\r\nConnection: close\r\n\r\n"
        + (head ? "" : body);
  }

  private void closeExpired() {
    long now = System.nanoTime();
    while (!connections.isEmpty() && now - connections.peekFirst().since > DEADLINE_NS) {
      close(connections.peekFirst());
    }
  }

  private void close(Connection connection) {
    connections.remove(connection);
    try {
      connection.channel.close();
    } catch (IOException e) {
      LOG.debug("A connection to the health port was not closed cleanly.", e);
    }
  }

  /** Ends the thread and frees the port. */
  @Override
  public void close() {
    try {
      server.close();
      selector.close();
    } catch (IOException e) {
      LOG.debug("The health port was not closed cleanly.", e);
    }
    Threads.join(thread);
    connections.forEach(connection -> {
      try {
        connection.channel.close();
      } catch (IOException e) {
        LOG.debug("A connection to the health port was not closed cleanly.", e);
      }
    });
  }
}
