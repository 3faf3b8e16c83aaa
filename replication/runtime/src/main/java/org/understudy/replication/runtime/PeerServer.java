package org.understudy.replication.runtime;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;

/**
 * Takes the connections that peers make: a blocking thread for each. Whoever has not proven itself yet is a stranger; only
 * a few may be connected at a time, and none for longer than two seconds of silence.
 */
public final class PeerServer implements AutoCloseable {
  /** Speaks with whoever has connected. */
  public interface Host {
    /**
     * Returns when the connection is over; the server closes the socket.
     *
     * @param proven to be told when the other end has proven itself: takes the time limit away and names the thread. Only
     *     the first time counts.
     */
    void serve(Socket socket, Consumer<ReplicaId> proven) throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
  private static final int STRANGER_TIMEOUT_MS = 2_000;
  private static final int MOST_STRANGERS = 16;

  private final Semaphore strangers = new Semaphore(MOST_STRANGERS);
  private final Set<Socket> open = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final Set<Thread> threads = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final ServerSocketChannel server;
  private final Host host;
  private volatile boolean closed;

  private PeerServer(ServerSocketChannel server, Host host) {
    this.server = server;
    this.host = host;
  }

  /**
   * Listens.
   *
   * @throws IOException when the address cannot be opened, in one sentence
   */
  public static PeerServer open(InetSocketAddress address, Host host) throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      channel.bind(address);
    } catch (IOException e) {
      channel.close();
      throw new IOException(
          "The peer address " + address + " of this replica cannot be opened: " + e.getMessage() + "; is the port in use?",
          e);
    }
    PeerServer server = new PeerServer(channel, host);
    server.daemon(server::accept, "understudy-peers");
    return server;
  }

  public boolean isClosed() {
    return closed;
  }

  private void daemon(Runnable task, String name) {
    Thread thread =
        new Thread(
            () -> {
              try {
                task.run();
              } finally {
                threads.remove(Thread.currentThread());
              }
            },
            name);
    thread.setDaemon(true);
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    while (!closed) {
      try {
        // Of a channel, so that a read is one call to the kernel and not three.
        Socket socket = server.accept().socket();
        if (closed) {
          socket.close();
        } else if (strangers.tryAcquire()) {
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
    AtomicBoolean stranger = new AtomicBoolean(true);
    try (socket) {
      socket.setTcpNoDelay(true);
      socket.setSoTimeout(STRANGER_TIMEOUT_MS);
      host.serve(socket, peer -> {
        if (stranger.compareAndSet(true, false)) {
          strangers.release();
          patient(socket);
          Thread.currentThread().setName("understudy-from-" + peer);
        }
      });
    } catch (IOException e) {
      if (!closed && stranger.get()) {
        LOG.warn("A stranger at {} was refused: {}", socket.getRemoteSocketAddress(), e.getMessage());
      } else if (!closed) {
        LOG.debug("A connection of a peer ended: {}", e.getMessage());
      }
    } finally {
      if (stranger.get()) {
        strangers.release();
      }
      open.remove(socket);
    }
  }

  private static void patient(Socket socket) {
    try {
      socket.setSoTimeout(0);
    } catch (java.net.SocketException e) {
      LOG.debug("The connection is closed already.", e);
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      server.close();
      for (Socket socket : open) {
        socket.close();
      }
    } catch (IOException e) {
      LOG.debug("A connection did not close.", e);
    }
    threads.forEach(ThreadEnd::await);
  }
}
