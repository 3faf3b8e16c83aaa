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
import org.understudy.replication.runtime.PeerReceiver;
import org.understudy.replication.runtime.WaitingMessages;
import org.understudy.replication.runtime.handshake.Credentials;
import org.understudy.replication.runtime.handshake.Dialer;
import org.understudy.replication.runtime.handshake.PeerTls;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.Threads;

/**
 * The kept-alive HTTP connection to one replica. One POST is under way at a time; what comes meanwhile travels in the
 * next one. The thread that sends writes the request itself when none is under way; the link's thread reads the responses
 * and writes the next.
 *
 * <p>More than 400 lines because sending, answers and the watch over silence guard one connection.
 */
final class HttpLink {
  /** What differs between the transfer modes. */
  interface Mode {
    PeerEnvelope envelope(ReplicaId to, List<Message> messages);

    /** SOAPAction of requests. */
    String action();
  }

  /** Where the link leads, and how this replica proves itself there; {@code tls} is null for plain connections. */
  record Target(ReplicaId peer, URI url, InetSocketAddress address, PeerTls tls, Credentials credentials) {}

  private static final Logger LOG = LoggerFactory.getLogger(HttpLink.class);
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final long MAX_QUEUED_BYTES = 64L << 20;
  /** Of one POST; the receiver bounds elements and bytes, and the replica's other messages wait behind it. */
  private static final int MAX_IN_BATCH = 256;
  private static final long MAX_BATCH_BYTES = 4L << 20;
  private static final long HANDSHAKE_NANOS = 2_000_000_000L;
  private static final int PINGS_IN_SUSPICION = 4;
  /** The allowance for a slow network to carry a message: one megabyte a second. */
  private static final long NANOS_PER_BYTE = 1_000;
  private static final long LEAST_PAUSE_MS = 10;
  private static final long MAX_PAUSE_MS = 500;
  /** A connection that ends sooner is as good as none: the pause before the next attempt grows. */
  private static final long WORKED_NANOS = 1_000_000_000L;
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

  /** Guarded by this. */
  private DialledConnection connection;
  private Socket dialled;
  private long dialledAt;
  private final WaitingMessages waiting = new WaitingMessages(MAX_QUEUED_BYTES);
  private boolean underWay;
  private long underWaySince;
  private long underWayBytes;
  private long answeredAt;
  private long lookedAt = System.nanoTime();
  private boolean closed;

  HttpLink(Target target, Duration suspicion, Mode mode, PeerReceiver receiver) {
    this.target = target;
    this.peer = target.peer();
    this.url = target.url();
    this.suspicionNanos = suspicion.toNanos();
    this.mode = mode;
    this.receiver = receiver;
    this.thread = DaemonThreads.daemon("understudy-to-" + peer, this::run);
    this.large =
        new ThreadPoolExecutor(
            1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new DaemonThreads("understudy-large-to-" + peer + "-"));
    large.allowCoreThreadTimeOut(true);
  }

  void start() {
    thread.start();
  }

  void send(List<Message> messages) {
    DialledConnection mine;
    List<Message> batch;
    synchronized (this) {
      if (connection == null || closed) {
        return;
      }
      messages.forEach(waiting::add);
      if (underWay) {
        return;
      }
      mine = connection;
      batch = waiting.nextBatch(MAX_BATCH_BYTES, MAX_IN_BATCH);
      begin();
    }
    PeerEnvelope envelope = envelope(batch);
    if (envelope.length() > CALLER_WRITES_BYTES) {
      // A replica that does not read could make this block.
      writeLater(mine, envelope);
    } else {
      write(mine, envelope);
    }
  }

  /** Under the lock: a message is about to be written. */
  private void begin() {
    underWay = true;
    underWaySince = System.nanoTime();
    underWayBytes = 0;
  }

  private PeerEnvelope envelope(List<Message> batch) {
    PeerEnvelope envelope = mode.envelope(peer, batch);
    synchronized (this) {
      underWayBytes = envelope.length();
    }
    return envelope;
  }

  /** Called several times in the time of suspicion: ends a connection that is silent, and pings one that is idle. */
  void look(long now) {
    DialledConnection mine;
    synchronized (this) {
      boolean late = now - lookedAt > suspicionNanos / 2;
      lookedAt = now;
      if (dialled != null && now - dialledAt > HANDSHAKE_NANOS) {
        close(dialled);
      }
      if (connection == null) {
        return;
      }
      if (underWay && late) {
        // This process itself was stopped, so the silence of the peer meanwhile proves nothing.
        underWaySince = now;
      }
      // An answer includes the work that the messages make; a ping's does not.
      long work = underWayBytes > 0 ? suspicionNanos : 0;
      if (underWay && now - underWaySince > suspicionNanos + work + underWayBytes * NANOS_PER_BYTE) {
        LOG.info("Replica {} has not responded for {} ms. Reconnecting.", peer,
            (now - underWaySince) / 1_000_000);
        disconnect();
        return;
      }
      if (underWay || now - answeredAt < suspicionNanos / PINGS_IN_SUSPICION) {
        return;
      }
      begin();
      mine = connection;
    }
    write(mine, null);
  }

  private void close(Closeable one) {
    try {
      one.close();
    } catch (IOException e) {
      LOG.debug("The connection to replica {} did not close cleanly.", peer, e);
    }
  }

  private void writeLater(DialledConnection mine, PeerEnvelope envelope) {
    try {
      large.execute(() -> write(mine, envelope));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed: a message to replica {} is not sent.", peer);
    }
  }

  private void write(DialledConnection mine, PeerEnvelope envelope) {
    try {
      mine.write(envelope, mode.action());
    } catch (IOException | HttpException e) {
      LOG.debug("A message to replica {} was not sent: {}", peer, e.getMessage());
      disconnectFrom(mine);
    }
  }

  private synchronized void disconnectFrom(DialledConnection mine) {
    if (connection == mine) {
      disconnect();
    }
  }

  /** Ends the threads without waiting for them, see {@link #awaitEnd}. */
  synchronized void close() {
    closed = true;
    if (dialled != null) {
      close(dialled);
    }
    disconnect();
    thread.interrupt();
    large.shutdown();
  }

  void awaitEnd() {
    Threads.join(thread);
    try {
      if (!large.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("A large message to replica {} is still in transit after 5 s.", peer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void disconnect() {
    if (connection != null) {
      close(connection);
      connection = null;
    }
    waiting.clear();
    underWay = false;
  }

  private void run() {
    long pause = LEAST_PAUSE_MS;
    boolean reported = false;
    while (!isClosed()) {
      long begin = System.nanoTime();
      boolean connected = false;
      try {
        DialledConnection fresh = connect();
        connected = true;
        synchronized (this) {
          if (closed) {
            close(fresh);
            return;
          }
          connection = fresh;
          answeredAt = System.nanoTime();
        }
        LOG.info("Connected to replica {} at {}.", peer, url);
        reported = false;
        work(fresh);
      } catch (ConnectException e) {
        // No process listens there: it has ended, or has not started yet.
        if (!reported) {
          reported = true;
          receiver.suspected(peer);
        }
      } catch (RefusedPeerException | SSLException e) {
        boolean broken = connected && e instanceof SSLException;
        if (!broken && refusals.isDue(String.valueOf(e.getMessage()), System.nanoTime())) {
          LOG.warn("Replica {} at {} is not connected: {}", peer, url, e.getMessage());
        }
      } catch (IOException | HttpException e) {
        if (!connected && !isClosed() && refusals.isDue("unreachable", System.nanoTime())) {
          LOG.info("Replica {} at {} is unreachable: {} Retrying.", peer, url,
              RefusalLog.printable(e.getMessage()));
        } else {
          LOG.debug("The connection to replica {} ended: {}", peer, e.getMessage());
        }
      } catch (RuntimeException e) {
        LOG.error("The connection to replica {} failed because of a defect. Reconnecting.", peer, e);
      }
      disconnect();
      if (System.nanoTime() - begin > WORKED_NANOS) {
        pause = LEAST_PAUSE_MS;
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private DialledConnection connect() throws IOException, HttpException {
    InetSocketAddress configured = target.address();
    // The name may lead elsewhere than at the last attempt.
    InetSocketAddress address = new InetSocketAddress(configured.getHostString(), configured.getPort());
    // Of a channel, so that a read is one call to the kernel and not three.
    Socket socket = SocketChannel.open().socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSendBufferSize(SEND_BUFFER_BYTES);
      socket.connect(address, CONNECT_TIMEOUT_MS);
      dialling(socket);
      return DialledConnection.open(socket, url, target.tls(), new Dialer(target.credentials(), peer));
    } catch (IOException | HttpException | RuntimeException e) {
      socket.close();
      throw e;
    } finally {
      dialling(null);
    }
  }

  /** Lets {@link #look} end a handshake that takes too long. */
  private synchronized void dialling(Socket socket) throws IOException {
    dialled = socket;
    dialledAt = System.nanoTime();
    if (closed && socket != null) {
      throw new IOException("This replica is being stopped.");
    }
  }

  /**
   * Reads responses as long as the connection lasts. Blocks in reading even while none is due: arriving data wakes this
   * thread without a hand-off from the sending thread, and so does the end of the process at the other end. {@link #look}
   * detects a machine that vanishes.
   */
  private void work(DialledConnection mine) throws IOException, HttpException {
    // Nothing else in this loop: it runs for so long that it would stay interpreted.
    while (true) {
      take(mine.read(), mine);
    }
  }

  private void take(DialledConnection.Response response, DialledConnection mine) throws IOException, HttpException {
    if (response.status() >= 300) {
      LOG.warn("Replica {} at {} rejects messages with HTTP status {}. See its log for the reason.", peer, url,
          response.status());
      throw new IOException("status " + response.status());
    }
    List<Message> batch = turnOver(mine);
    if (!batch.isEmpty()) {
      write(mine, envelope(batch));
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

  private synchronized List<Message> turnOver(DialledConnection mine) throws IOException {
    if (connection != mine) {
      throw new IOException("closed");
    }
    List<Message> batch = waiting.nextBatch(MAX_BATCH_BYTES, MAX_IN_BATCH);
    begin();
    underWay = !batch.isEmpty();
    answeredAt = underWaySince;
    return batch;
  }
}
