package org.understudy.container.peer;

import java.io.Closeable;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.apache.hc.core5.http.HttpException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.Disconnection;
import org.understudy.replication.runtime.handshake.PeerAddresses;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.replication.runtime.peer.WaitingMessages;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;

/**
 * The kept-alive HTTP connection to one replica. One POST is in flight at a time; messages that are sent meanwhile are batched
 * in the next one. The sending thread writes the request itself when none is in flight. The link's thread reads the responses
 * and writes the next request.
 *
 * <p>More than 400 lines because sending, responses and the check for silence share the state of one connection.
 */
final class HttpLink {
  /** The part of a link that depends on the transfer mode. */
  interface Mode {
    PeerEnvelope envelope(ReplicaId to, List<Message> messages);

    /** Returns the SOAPAction of requests. */
    String action();
  }

  /** The peer's address, and how this replica authenticates itself there; {@code tls} is null for plain connections. */
  record Target(ReplicaId peer, URI url, InetSocketAddress address, PeerTls tls, Credentials credentials) {}

  private static final Logger LOG = LoggerFactory.getLogger(HttpLink.class);
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final long MAX_QUEUED_BYTES = 64L << 20;
  /** Limits of one POST: the receiver limits elements and bytes, and later messages wait behind a large one. */
  private static final int MAX_IN_BATCH = 256;
  private static final long MAX_BATCH_BYTES = 4L << 20;
  private static final long HANDSHAKE_NANOS = 2_000_000_000L;
  private static final int PINGS_PER_SUSPICION = 4;
  /** The additional time that a slow network may take for a message: one megabyte a second. */
  private static final long NANOS_PER_BYTE = 1_000;
  private static final long MIN_PAUSE_MS = 10;
  private static final long MAX_PAUSE_MS = 500;
  /** A connection that ends sooner counts as failed: the pause before the next attempt grows. */
  private static final long MIN_LIFETIME_NANOS = 1_000_000_000L;
  private static final int CALLER_WRITES_BYTES = 192 << 10;
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private final Target target;
  private final ReplicaId peer;
  private final URI url;
  private final long suspicionNanos;
  private final Mode mode;
  private final PeerReceiver receiver;
  private final Thread thread;
  private final ThreadPoolExecutor large;
  private final RefusalLog refusals = new RefusalLog();
  /** Why one of the two replicas refused the last attempt to connect; null if none did. */
  private volatile String refusal;
  /** Of the last connection; 0 before the first. */
  private volatile int version;

  // Guarded by this, up to the constructor.
  private DialledConnection connection;
  private Socket dialledSocket;
  private long dialledAt;
  private final WaitingMessages waiting = new WaitingMessages(MAX_QUEUED_BYTES);
  private boolean inFlight;
  private long inFlightSince;
  private long inFlightBytes;
  private long answeredAt;
  private long checkedAt = System.nanoTime();
  private boolean closed;

  HttpLink(Target target, Duration suspicion, Mode mode, PeerReceiver receiver) {
    this.target = target;
    this.peer = target.peer();
    this.url = target.url();
    this.suspicionNanos = suspicion.toNanos();
    this.mode = mode;
    this.receiver = receiver;
    this.thread =
        DaemonThreads.daemon("understudy-to-" + peer, new PersistentLoop("The link to replica " + peer, this::run));
    this.large =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads("understudy-large-to-" + peer + "-"));
    large.allowCoreThreadTimeOut(true);
  }

  void start() {
    thread.start();
  }

  void send(List<Message> messages) {
    DialledConnection current;
    List<Message> batch;
    synchronized (this) {
      if (connection == null || closed) {
        return;
      }
      messages.forEach(waiting::add);
      if (inFlight) {
        return;
      }
      current = connection;
      batch = waiting.nextBatch(MAX_BATCH_BYTES, MAX_IN_BATCH);
      markInFlight();
    }
    PeerEnvelope envelope = envelope(batch);
    if (envelope.length() > CALLER_WRITES_BYTES) {
      // A replica that does not read could make this block.
      writeLater(current, envelope);
    } else {
      write(current, envelope);
    }
  }

  /** Records that a message is about to be written. The caller holds the lock. */
  private void markInFlight() {
    inFlight = true;
    inFlightSince = System.nanoTime();
    inFlightBytes = 0;
  }

  private PeerEnvelope envelope(List<Message> batch) {
    PeerEnvelope envelope = mode.envelope(peer, batch);
    synchronized (this) {
      inFlightBytes = envelope.length();
    }
    return envelope;
  }

  /** Closes a connection that is silent, and pings one that is idle. Call it several times per suspicion time. */
  void check(long now) {
    DialledConnection current;
    synchronized (this) {
      boolean paused = now - checkedAt > suspicionNanos / 2;
      checkedAt = now;
      if (dialledSocket != null && now - dialledAt > HANDSHAKE_NANOS) {
        close(dialledSocket);
      }
      if (connection == null) {
        return;
      }
      if (inFlight && paused) {
        // This process itself was paused, so the peer may have responded meanwhile.
        inFlightSince = now;
      }
      // The peer processes the messages before it responds; a ping needs no processing.
      long work = inFlightBytes > 0 ? suspicionNanos : 0;
      if (inFlight && now - inFlightSince > suspicionNanos + work + inFlightBytes * NANOS_PER_BYTE) {
        LOG.info("Replica {} has not responded for {} ms. Reconnecting.", peer,
            (now - inFlightSince) / 1_000_000);
        disconnect();
        return;
      }
      if (inFlight || now - answeredAt < suspicionNanos / PINGS_PER_SUSPICION) {
        return;
      }
      markInFlight();
      current = connection;
    }
    write(current, null);
  }

  private void close(Closeable one) {
    try {
      one.close();
    } catch (IOException e) {
      LOG.debug("The connection to replica {} did not close cleanly.", peer, e);
    }
  }

  private void writeLater(DialledConnection current, PeerEnvelope envelope) {
    try {
      large.execute(() -> write(current, envelope));
    } catch (RejectedExecutionException e) {
      LOG.debug("The link is closed: a message to replica {} is not sent.", peer);
    }
  }

  private void write(DialledConnection current, PeerEnvelope envelope) {
    try {
      current.write(envelope, mode.action());
    } catch (IOException | HttpException e) {
      LOG.debug("A message to replica {} was not sent: {}", peer, e.getMessage());
      disconnectFrom(current);
    } catch (RuntimeException | Error e) {
      // Not the fault of the caller, whose thread this may be.
      disconnectFrom(current);
      LOG.error("The connection to replica {} failed. Reconnecting.", peer, e);
    }
  }

  private synchronized void disconnectFrom(DialledConnection current) {
    if (connection == current) {
      disconnect();
    }
  }

  /** Closes the connection and ends the threads. Does not wait for them, see {@link #awaitEnd}. */
  synchronized void close() {
    closed = true;
    if (dialledSocket != null) {
      close(dialledSocket);
    }
    disconnect();
    thread.interrupt();
    large.shutdown();
  }

  void awaitEnd() {
    Threads.join(thread);
    Threads.join("A large message to replica " + peer, large);
  }

  private synchronized void disconnect() {
    if (connection != null) {
      close(connection);
      connection = null;
    }
    waiting.clear();
    inFlight = false;
  }

  private void run() {
    long pause = MIN_PAUSE_MS;
    while (!isClosed()) {
      long begin = System.nanoTime();
      boolean connected = false;
      try {
        DialledConnection opened = connect();
        connected = true;
        synchronized (this) {
          if (closed) {
            close(opened);
            return;
          }
          connection = opened;
          answeredAt = System.nanoTime();
        }
        refusal = null;
        version = opened.wireVersion();
        LOG.info("Connected to replica {} at {}.", peer, url);
        readResponses(opened);
      } catch (ConnectException e) {
        // No process listens there: it has ended, or has not started yet.
        refusal = null;
        // Reported each time: a message that it sent before cancels an earlier report.
        receiver.suspected(peer);
      } catch (RefusedPeerException e) {
        refused(e);
      } catch (SSLException e) {
        if (connected || Disconnection.isCauseOf(e)) {
          refusal = null;
          ended(connected, e);
        } else {
          refused(e);
        }
      } catch (IOException | HttpException e) {
        ended(connected, e);
      } catch (RuntimeException e) {
        LOG.error("The connection to replica {} failed because of a defect. Reconnecting.", peer, e);
      } finally {
        // Also after an error: the next connection would replace it, and nothing would close it.
        disconnect();
      }
      if (System.nanoTime() - begin > MIN_LIFETIME_NANOS) {
        pause = MIN_PAUSE_MS;
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }

  private void refused(IOException e) {
    refusal = RefusalLog.reason(peer, e);
    if (refusals.isDue(String.valueOf(e.getMessage()), System.nanoTime())) {
      LOG.warn("Replica {} at {} is not connected: {}", peer, url, e.getMessage());
    }
  }

  private void ended(boolean connected, Exception e) {
    if (!connected && !isClosed() && refusals.isDue("unreachable", System.nanoTime())) {
      LOG.info("Replica {} at {} is unreachable: {} Retrying.", peer, url, RefusalLog.printable(e.getMessage()));
    } else {
      LOG.debug("The connection to replica {} ended: {}", peer, e.getMessage());
    }
  }

  /** Returns why the replicas are not connected if one refuses the other, else null. */
  String refusal() {
    return refusal;
  }

  /** The newest wire version that both replicas read, by the last connection; 0 before the first. */
  int wireVersion() {
    return version;
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private DialledConnection connect() throws IOException, HttpException {
    return PeerAddresses.first(PeerAddresses.of(target.address()), this::connect);
  }

  private DialledConnection connect(InetSocketAddress address) throws IOException, HttpException {
    // The socket of a channel reads with one system call instead of three.
    Socket socket = SocketChannel.open().socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSendBufferSize(SEND_BUFFER_BYTES);
      socket.connect(address, CONNECT_TIMEOUT_MS);
      setDialled(socket);
      return DialledConnection.open(socket, url, target.tls(), new Dialer(target.credentials(), peer));
    } catch (IOException | HttpException | RuntimeException | Error e) {
      socket.close();
      throw e;
    } finally {
      setDialled(null);
    }
  }

  /** Records the socket of a handshake, so that {@link #check} can close it when the handshake takes too long. */
  private synchronized void setDialled(Socket socket) throws IOException {
    dialledSocket = socket;
    dialledAt = System.nanoTime();
    if (closed && socket != null) {
      throw new IOException("This replica is being stopped.");
    }
  }

  /**
   * Reads responses until the connection ends. Blocks in the read even while no response is due: arriving data wakes this
   * thread without a hand-off from the sending thread, and so does the end of the peer's process. {@link #check} detects an
   * unreachable machine.
   */
  private void readResponses(DialledConnection current) throws IOException, HttpException {
    // The loop contains one call only: the JVM would interpret other code in it, because the loop runs so long.
    while (true) {
      handle(current.read(), current);
    }
  }

  private void handle(DialledConnection.Response response, DialledConnection current) throws IOException, HttpException {
    if (response.status() >= 300) {
      LOG.warn("Replica {} at {} rejects messages with HTTP status {}. See its log for the reason.", peer, url,
          response.status());
      throw new IOException("status " + response.status());
    }
    List<Message> batch = completeAndTakeNext(current);
    if (!batch.isEmpty()) {
      write(current, envelope(batch));
    }
    if (response.answers() != null) {
      receiver.received(peer, PeerExchange.answers(receiver.format(), response.answers()), null);
    }
    if (response.status() == 200) {
      receiver.received(
          peer,
          PeerEnvelopeReader.read(
                  receiver.format(), response.contentType(), response.content(), response.content().length)
              .messages(),
          null);
    }
  }

  private synchronized List<Message> completeAndTakeNext(DialledConnection current) throws IOException {
    if (connection != current) {
      throw new IOException("closed");
    }
    List<Message> batch = waiting.nextBatch(MAX_BATCH_BYTES, MAX_IN_BATCH);
    markInFlight();
    inFlight = !batch.isEmpty();
    answeredAt = inFlightSince;
    return batch;
  }
}
