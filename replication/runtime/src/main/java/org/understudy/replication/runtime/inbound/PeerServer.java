package org.understudy.replication.runtime.inbound;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.handshake.Disconnection;
import org.understudy.replication.runtime.handshake.PeerAddresses;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;

/**
 * Accepts the connections of peers, with a blocking thread for each. A connection that does not authenticate within two
 * seconds is closed ({@link Strangers} bounds how many are unauthenticated); later it is closed when it has been silent for
 * long, or when its peer authenticates a newer one.
 */
public final class PeerServer implements AutoCloseable {
  /** Handles the protocol with the other end. */
  public interface Host {
    /** Returns when the connection has ended; the server closes the socket. */
    void serve(PeerConnection connection) throws IOException;
  }

  /** The source of connections. */
  interface Door extends Closeable {
    /** Blocks until there is a connection. */
    Socket accept() throws IOException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PeerServer.class);
  private static final long HANDSHAKE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long LEAST_SILENCE_NANOS = TimeUnit.SECONDS.toNanos(10);
  private static final long WATCH_MS = 100;
  /** A watch that runs later than this was delayed itself and may have missed messages. */
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long LEAST_PAUSE_MS = 50;
  private static final long MAX_PAUSE_MS = 1_000;

  private final Map<ReplicaId, PeerConnection> current = new ConcurrentHashMap<>();
  private final Map<ReplicaId, Object> turns = new ConcurrentHashMap<>();
  private final Set<PeerConnection> open = Collections.newSetFromMap(new ConcurrentHashMap<>());
  private final Set<Thread> threads = Collections.newSetFromMap(new ConcurrentHashMap<>());
  /** A separate throttle, so that unauthenticated connections cannot suppress log lines about peers. */
  private final RefusalLog peerRefusals = new RefusalLog();
  private final RefusalLog strangerRefusals = new RefusalLog();
  private final Door door;
  private final Strangers strangers;
  private final PeerTls tls;
  private final long silenceNanos;
  private final Host host;
  private volatile boolean closed;

  private PeerServer(Door door, Strangers strangers, PeerTls tls, long silenceNanos, Host host) {
    this.door = door;
    this.strangers = strangers;
    this.tls = tls;
    this.silenceNanos = silenceNanos;
    this.host = host;
  }

  /**
   * Listens. Connections wait until {@link #start}.
   *
   * @param address of this replica
   * @param peers addresses of the configured replicas
   * @param tls null for plain connections
   * @param suspicion live peers send several times in this time; a connection that is silent for three times as long, and
   *     for ten seconds, is closed
   * @throws IOException when the address cannot be opened, in one sentence
   */
  public static PeerServer open(
      InetSocketAddress address, Collection<InetSocketAddress> peers, PeerTls tls, Duration suspicion, Host host)
      throws IOException {
    ServerSocketChannel channel = ServerSocketChannel.open();
    try {
      channel.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      PeerAddresses.first(PeerAddresses.of(address), one -> channel.bind(one));
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw new IOException(
          "The peer address " + address + " of this replica cannot be opened (" + e.getMessage()
              + "). Check that the address is one of this machine, and that no other process uses the port.",
          e);
    }
    Map<InetAddress, Integer> configured = new HashMap<>();
    for (InetSocketAddress peer : peers) {
      if (!peer.isUnresolved()) {
        configured.merge(peer.getAddress(), 1, Integer::sum);
      }
    }
    long silence = Math.max(LEAST_SILENCE_NANOS, 3 * suspicion.toNanos());
    Door door =
        new Door() {
          @Override
          public Socket accept() throws IOException {
            // A channel's stream, so that a read is one system call instead of three.
            return channel.accept().socket();
          }

          @Override
          public void close() throws IOException {
            channel.close();
          }
        };
    return new PeerServer(door, new Strangers(configured), tls, silence, host);
  }

  static PeerServer start(Door door, Strangers strangers, PeerTls tls, long silenceNanos, Host host) {
    PeerServer server = new PeerServer(door, strangers, tls, silenceNanos, host);
    server.start();
    return server;
  }

  /** Begins to accept connections. Called once; without effect after {@link #close}. */
  public void start() {
    daemon(new PersistentLoop("The acceptance of peers' connections", this::accept), "understudy-peers");
    daemon(new PersistentLoop("The watch of peers' connections", this::watch), "understudy-peers-watch");
  }

  public boolean isClosed() {
    return closed;
  }

  /** The number of open connections, authenticated or not. */
  int connections() {
    return open.size();
  }

  private void daemon(Runnable task, String name) {
    Thread thread =
        DaemonThreads.daemon(
            name,
            () -> {
              try {
                task.run();
              } finally {
                threads.remove(Thread.currentThread());
              }
            });
    threads.add(thread);
    thread.start();
  }

  private void accept() {
    long pause = LEAST_PAUSE_MS;
    while (!closed) {
      try {
        admit(door.accept());
        pause = LEAST_PAUSE_MS;
      } catch (IOException | OutOfMemoryError e) {
        if (closed) {
          return;
        }
        if (peerRefusals.isDue("accept", System.nanoTime())) {
          LOG.warn("Connections of peers cannot be accepted: {}. Check the limits of file descriptors and threads "
              + "(ulimit -n, -u). "
              + "The replica retries.", e.getMessage());
        }
        pause(pause);
        pause = Math.min(2 * pause, MAX_PAUSE_MS);
      }
    }
  }

  private static void pause(long ms) {
    try {
      Thread.sleep(ms);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void admit(Socket socket) throws IOException {
    PeerConnection connection = new PeerConnection(this, socket);
    if (connection.address() == null) {
      // Closed already.
      socket.close();
      return;
    }
    open.add(connection);
    try {
      PeerConnection displaced = strangers.admit(connection);
      if (displaced != null) {
        displaced.end("newer connections from its address displaced it");
      }
      if (closed) {
        connection.end("this replica is being stopped");
      }
      daemon(() -> serve(connection), "understudy-peer-in");
    } catch (RuntimeException | Error e) {
      // Often no thread can be created; the connection must not stay without one.
      remove(connection);
      throw e;
    }
  }

  private void serve(PeerConnection connection) {
    try {
      Socket raw = connection.socket();
      raw.setTcpNoDelay(true);
      raw.setKeepAlive(true);
      if (tls != null) {
        SSLSocket secured = tls.accept(raw);
        secured.startHandshake();
        connection.secured(secured);
        connection.recognise();
      }
      host.serve(connection);
    } catch (IOException e) {
      ended(connection, e);
    } catch (RuntimeException | Error e) {
      connection.end("it failed");
      LOG.error("The connection from {} failed and is closed; the peer opens another one.", connection.remoteAddress(), e);
    } finally {
      remove(connection);
    }
  }

  private void remove(PeerConnection connection) {
    try {
      strangers.remove(connection);
      open.remove(connection);
      ReplicaId peer = connection.peer();
      if (peer != null) {
        current.remove(peer, connection);
      }
    } finally {
      connection.end("it has ended");
    }
  }

  private void ended(PeerConnection connection, IOException cause) {
    if (closed) {
      return;
    }
    String own = cause instanceof RefusedPeerException ? cause.getMessage() : connection.ended();
    String why = own == null ? RefusalLog.printable(cause) : own;
    boolean configured = connection.peer() != null || strangers.isConfigured(connection.address());
    if (!(cause instanceof RefusedPeerException refusal)) {
      boolean cut = Disconnection.isCauseOf(cause);
      boolean broken = connection.ended() != null || cut;
      if (connection.peer() != null || configured && broken) {
        // A replica that stops during its handshake does no harm and is logged at a lower level.
        LOG.debug("A connection of a peer at {} ended: {}", connection.remoteAddress(), why);
      } else if (strangerRefusals.isDue(connection.address() + cause.getClass().getName(), System.nanoTime())) {
        LOG.warn("A connection from {} to the peer address is refused: {}{}", connection.remoteAddress(), why,
            cause instanceof SSLException && !cut
                ? ". Check that every replica has a key store, and the certificates of the others "
                    + "(understudy.peer.trust.store)."
                : "");
      }
    } else if ((configured ? peerRefusals : strangerRefusals)
        .isDue(cause(connection, refusal), System.nanoTime())) {
      LOG.warn("The replica at {} is not admitted: {}", connection.remoteAddress(), why);
    }
  }

  private static String cause(PeerConnection connection, RefusedPeerException refusal) {
    // A difference in the configuration comes from a peer that has proven the secret.
    return refusal.reason() == RefusedPeerException.Reason.CONFIGURATION
        ? refusal.getMessage()
        : connection.address() + refusal.reason().name();
  }

  /** Its peer has authenticated it. */
  void proven(PeerConnection connection, ReplicaId peer) {
    strangers.remove(connection);
    PeerConnection earlier = current.put(peer, connection);
    if (earlier != null && earlier != connection) {
      if (!earlier.address().equals(connection.address()) && peerRefusals.isDue("twice " + peer, System.nanoTime())) {
        LOG.warn("Replica {} connects from {} and from {}. Unless it has moved, two processes have the same"
            + " understudy.replica: stop one of them.", peer, earlier.remoteAddress(), connection.remoteAddress());
      }
      earlier.end("replica " + peer + " has opened a newer connection");
    }
  }

  Object turn(ReplicaId peer) {
    return turns.computeIfAbsent(peer, any -> new Object());
  }

  boolean isCurrent(PeerConnection connection, ReplicaId peer) {
    return current.get(peer) == connection;
  }

  private void watch() {
    long last = System.nanoTime();
    while (!closed) {
      pause(WATCH_MS);
      long now = System.nanoTime();
      boolean late = now - last > LATE_NANOS;
      last = now;
      for (PeerConnection connection : open) {
        long silent = now - connection.lastReceivedAt();
        if (late) {
          connection.restart(now);
        } else if (connection.peer() == null && silent > HANDSHAKE_NANOS) {
          connection.end("it has not authenticated itself within 2 s");
        } else if (silent > silenceNanos) {
          connection.end("it has been silent for " + silenceNanos / 1_000_000 + " ms");
        }
      }
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      door.close();
    } catch (IOException e) {
      LOG.debug("The peer address did not close cleanly.", e);
    }
    for (PeerConnection connection : open) {
      connection.end("this replica is being stopped");
    }
    threads.forEach(Threads::join);
  }
}
