package org.understudy.replication.runtime.socket;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.PeerReceiver;
import org.understudy.replication.runtime.ThreadEnd;

/** The connection on which this replica sends to one other. */
final class OutgoingLink {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final long LEAST_PAUSE_MS = 10;
  private static final long MOST_PAUSE_MS = 500;
  /** A connection that ends sooner is as good as none: the pause before the next attempt grows. */
  private static final long WORKED_NANOS = 1_000_000_000L;
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private final SocketSettings settings;
  private final ReplicaId peer;
  private final InetSocketAddress address;
  private final PeerReceiver receiver;
  private final Thread thread;

  /** Guarded by this: the connection, and what the kernel has not taken yet. */
  private SocketChannel connection;
  private final ArrayDeque<ByteBuffer> backlog = new ArrayDeque<>();
  private long backlogBytes;
  private boolean dropping;
  private boolean closed;

  OutgoingLink(SocketSettings settings, ReplicaId peer, InetSocketAddress address, PeerReceiver receiver) {
    this.settings = settings;
    this.peer = peer;
    this.address = address;
    this.receiver = receiver;
    this.thread = new Thread(this::run, "understudy-to-" + peer);
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** Sends without blocking: what the kernel does not take is left to the link's thread. */
  synchronized void send(ByteBuffer[] frame) {
    if (connection == null || closed) {
      return;
    }
    try {
      if (backlog.isEmpty() && frame.length == 1) {
        connection.write(frame[0]);
      } else if (backlog.isEmpty()) {
        connection.write(frame);
      }
      leave(frame);
    } catch (IOException e) {
      disconnect("broke: " + e.getMessage());
    }
  }

  private void leave(ByteBuffer[] frame) {
    long bytes = 0;
    for (ByteBuffer segment : frame) {
      bytes += segment.remaining();
    }
    if (bytes == 0) {
      return;
    }
    boolean begun = !frame[0].hasRemaining() || frame[0].position() > 0;
    if (backlogBytes + bytes > settings.maxQueuedBytes() && !begun) {
      if (!dropping) {
        LOG.warn("Replica {} is too slow: {} bytes wait for it, further messages are dropped.", peer, backlogBytes);
      }
      dropping = true;
      return;
    }
    for (ByteBuffer segment : frame) {
      if (segment.hasRemaining()) {
        backlog.addLast(segment);
      }
    }
    backlogBytes += bytes;
    notifyAll();
  }

  /** The connection in the other direction ended: see whether the replica still answers. */
  synchronized void probe() {
    disconnect("may be gone");
  }

  /** Ends the thread without waiting for it, see {@link #awaitEnd}. */
  synchronized void close() {
    closed = true;
    disconnect("was closed");
    notifyAll();
    thread.interrupt();
  }

  void awaitEnd() {
    ThreadEnd.await(thread);
  }

  private void disconnect(String why) {
    if (connection != null) {
      LOG.debug("The connection to replica {} {}.", peer, why);
      try {
        connection.close();
      } catch (IOException e) {
        LOG.debug("It did not close well.", e);
      }
      connection = null;
      backlog.clear();
      backlogBytes = 0;
      dropping = false;
    }
    notifyAll();
  }

  private void run() {
    long pause = LEAST_PAUSE_MS;
    boolean told = false;
    while (!isClosed()) {
      try {
        SocketChannel fresh = connect();
        told = false;
        long begin = System.nanoTime();
        synchronized (this) {
          if (closed) {
            fresh.close();
            return;
          }
          connection = fresh;
        }
        LOG.info("Connected to replica {} at {}.", peer, address);
        work(fresh);
        if (System.nanoTime() - begin > WORKED_NANOS) {
          pause = LEAST_PAUSE_MS;
        }
      } catch (InterruptedException e) {
        return;
      } catch (ConnectException e) {
        // Nobody listens there: the process is gone, or not there yet.
        if (!told) {
          told = true;
          receiver.suspected(peer);
        }
      } catch (IOException e) {
        LOG.debug("Replica {} at {} cannot be reached: {}", peer, address, e.getMessage());
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(2 * pause, MOST_PAUSE_MS);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
      channel.setOption(StandardSocketOptions.SO_SNDBUF, SEND_BUFFER_BYTES);
      Socket socket = channel.socket();
      socket.connect(address, CONNECT_TIMEOUT_MS);
      socket.setSoTimeout(CONNECT_TIMEOUT_MS);
      new Handshake(settings)
          .dial(new DataInputStream(socket.getInputStream()), new DataOutputStream(socket.getOutputStream()), peer);
      channel.configureBlocking(false);
      return channel;
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  /** Writes the backlog whenever there is one, until the connection ends. */
  private void work(SocketChannel mine) throws IOException, InterruptedException {
    try (Selector selector = Selector.open()) {
      SelectionKey key = mine.register(selector, 0);
      while (true) {
        synchronized (this) {
          while (connection == mine && backlog.isEmpty()) {
            wait();
          }
          if (connection != mine) {
            return;
          }
          key.interestOps(SelectionKey.OP_WRITE);
        }
        selector.select(100);
        synchronized (this) {
          if (connection != mine) {
            return;
          }
          writeBacklog();
        }
      }
    } catch (java.nio.channels.CancelledKeyException | java.nio.channels.ClosedChannelException e) {
      LOG.debug("The connection to replica {} was closed while it was written to.", peer);
    }
  }

  private void writeBacklog() {
    try {
      while (!backlog.isEmpty()) {
        ByteBuffer first = backlog.peekFirst();
        backlogBytes -= connection.write(first);
        if (first.hasRemaining()) {
          return;
        }
        backlog.pollFirst();
      }
      dropping = false;
    } catch (IOException e) {
      disconnect("broke: " + e.getMessage());
    }
  }
}
