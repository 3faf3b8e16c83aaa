package org.understudy.container.peer;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.io.CloseMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.PeerReceiver;
import org.understudy.replication.runtime.ThreadEnd;

/**
 * The kept-alive HTTP connection to one replica. One POST is under way at a time; what comes meanwhile travels in the
 * next one. The thread that sends writes the request itself when none is under way; the link's thread reads the responses
 * and writes the next.
 */
final class HttpLink {
  /** What differs between the transfer modes. */
  interface Mode {
    PeerEnvelope envelope(ReplicaId to, List<Message> messages);

    /** SOAPAction of requests. */
    String action();
  }

  private static final Logger LOG = LoggerFactory.getLogger(HttpLink.class);
  private static final int CONNECT_TIMEOUT_MS = 1_000;
  private static final int MOST_QUEUED = 50_000;
  private static final long MOST_QUEUED_BYTES = 64L << 20;
  /** Of one POST; the receiver bounds elements and bytes, and the replica's other messages wait behind it. */
  private static final int MOST_IN_BATCH = 256;
  private static final long MOST_BATCH_BYTES = 4L << 20;
  private static final long STALLED_NANOS = 5_000_000_000L;
  private static final long LEAST_PAUSE_MS = 10;
  private static final long MOST_PAUSE_MS = 500;
  /** A connection that ends sooner is as good as none: the pause before the next attempt grows. */
  private static final long WORKED_NANOS = 1_000_000_000L;
  private static final long SNAPSHOT_BYTES = 256 << 10;
  private static final long SMALL_BYTES = 100;
  private static final int CALLER_WRITES_BYTES = 192 << 10;
  /** More than a caller writes: one call to the kernel for a request, so that it wakes the other end once. */
  static final int BUFFER_BYTES = 256 << 10;
  private static final int SEND_BUFFER_BYTES = 1 << 20;

  private final ReplicaId peer;
  private final URI url;
  private final String credentials;
  private final Mode mode;
  private final PeerReceiver receiver;
  private final Thread thread;
  private final ThreadPoolExecutor large;

  /** Guarded by this. */
  private DefaultBHttpClientConnection connection;
  private final ArrayDeque<Message> queue = new ArrayDeque<>();
  private long queuedBytes;
  private boolean underWay;
  private long underWaySince;
  private boolean closed;

  HttpLink(ReplicaId peer, URI url, String credentials, Mode mode, PeerReceiver receiver) {
    this.peer = peer;
    this.url = url;
    this.credentials = credentials;
    this.mode = mode;
    this.receiver = receiver;
    this.thread = new Thread(this::run, "understudy-to-" + peer);
    thread.setDaemon(true);
    this.large = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
      Thread writer = new Thread(task, "understudy-large-to-" + peer);
      writer.setDaemon(true);
      return writer;
    });
    large.allowCoreThreadTimeOut(true);
  }

  void start() {
    thread.start();
  }

  void send(List<Message> messages) {
    DefaultBHttpClientConnection mine;
    List<Message> batch;
    synchronized (this) {
      if (connection == null || closed) {
        return;
      }
      if (underWay) {
        if (System.nanoTime() - underWaySince > STALLED_NANOS) {
          LOG.debug("Replica {} has not answered for {} s.", peer, STALLED_NANOS / 1_000_000_000);
          disconnect();
        } else {
          enqueue(messages);
        }
        return;
      }
      enqueue(messages);
      underWay = true;
      underWaySince = System.nanoTime();
      mine = connection;
      batch = nextBatch();
    }
    PeerEnvelope envelope = mode.envelope(peer, batch);
    if (envelope.length() > CALLER_WRITES_BYTES) {
      // A replica that does not read could make this block.
      writeLater(mine, envelope);
    } else {
      write(mine, envelope);
    }
  }

  private void writeLater(DefaultBHttpClientConnection mine, PeerEnvelope envelope) {
    try {
      large.execute(() -> write(mine, envelope));
    } catch (RejectedExecutionException e) {
      LOG.debug("Closed; a message to replica {} is not sent any more.", peer);
    }
  }

  private void enqueue(List<Message> messages) {
    for (Message message : messages) {
      long bytes = roughly(message);
      if (queue.size() >= MOST_QUEUED || (queuedBytes + bytes > MOST_QUEUED_BYTES && !queue.isEmpty())) {
        return;
      }
      queue.addLast(message);
      queuedBytes += bytes;
    }
  }

  private List<Message> nextBatch() {
    List<Message> batch = new ArrayList<>(Math.min(queue.size(), MOST_IN_BATCH));
    long bytes = 0;
    while (!queue.isEmpty() && batch.size() < MOST_IN_BATCH && (bytes == 0 || bytes < MOST_BATCH_BYTES)) {
      Message message = queue.removeFirst();
      bytes += roughly(message);
      batch.add(message);
    }
    queuedBytes -= bytes;
    return batch;
  }

  private static long roughly(Message message) {
    if (message instanceof Message.Update update) {
      return update.update().bytes();
    }
    return message instanceof Message.Snapshot ? SNAPSHOT_BYTES : SMALL_BYTES;
  }

  private void write(DefaultBHttpClientConnection mine, PeerEnvelope envelope) {
    BasicClassicHttpRequest request = new BasicClassicHttpRequest("POST", url.getRawPath());
    request.setHeader("Host", url.getAuthority());
    request.setHeader("Content-Type", envelope.contentType());
    request.setHeader("Content-Length", Long.toString(envelope.length()));
    request.setHeader("SOAPAction", "\"" + mode.action() + "\"");
    request.setHeader(PeerCredentials.HEADER, credentials);
    request.setEntity(new EnvelopeEntity(envelope));
    try {
      mine.sendRequestHeader(request);
      mine.sendRequestEntity(request);
      mine.flush();
    } catch (IOException | HttpException e) {
      LOG.debug("A message to replica {} was not sent: {}", peer, e.getMessage());
      disconnect();
    }
  }

  /** Ends the threads without waiting for them, see {@link #awaitEnd}. */
  synchronized void close() {
    closed = true;
    disconnect();
    thread.interrupt();
    large.shutdown();
  }

  void awaitEnd() {
    ThreadEnd.await(thread);
    try {
      if (!large.awaitTermination(5, TimeUnit.SECONDS)) {
        LOG.warn("A large message to replica {} is still under way after 5 s.", peer);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void disconnect() {
    if (connection != null) {
      connection.close(CloseMode.IMMEDIATE);
      connection = null;
    }
    queue.clear();
    queuedBytes = 0;
    underWay = false;
  }

  private void run() {
    long pause = LEAST_PAUSE_MS;
    boolean told = false;
    while (!isClosed()) {
      long begin = System.nanoTime();
      try {
        DefaultBHttpClientConnection fresh = connect();
        synchronized (this) {
          if (closed) {
            fresh.close(CloseMode.IMMEDIATE);
            return;
          }
          connection = fresh;
        }
        LOG.info("Connected to replica {} at {}.", peer, url);
        told = false;
        work(fresh);
      } catch (ConnectException e) {
        // Nobody listens there: the process is gone, or not there yet.
        if (!told) {
          told = true;
          receiver.suspected(peer);
        }
      } catch (IOException | HttpException e) {
        LOG.debug("The connection to replica {} ended: {}", peer, e.getMessage());
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
      pause = Math.min(2 * pause, MOST_PAUSE_MS);
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private DefaultBHttpClientConnection connect() throws IOException {
    // Of a channel, so that a read is one call to the kernel and not three.
    Socket socket = SocketChannel.open().socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setSendBufferSize(SEND_BUFFER_BYTES);
      socket.connect(new InetSocketAddress(url.getHost(), url.getPort() < 0 ? 80 : url.getPort()), CONNECT_TIMEOUT_MS);
      DefaultBHttpClientConnection fresh =
          new DefaultBHttpClientConnection(
              org.apache.hc.core5.http.config.Http1Config.custom().setBufferSize(BUFFER_BYTES).build());
      fresh.bind(socket);
      return fresh;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  /**
   * Reads responses as long as the connection lasts. Blocks in reading even while none is due: the data itself wakes this
   * thread, with no hand-off from the one that sent, and so does the death of the process at the other end. Of a machine
   * that vanishes {@link #send} takes note.
   */
  private void work(DefaultBHttpClientConnection mine) throws IOException, HttpException {
    while (true) {
      ClassicHttpResponse response = mine.receiveResponseHeader();
      mine.receiveResponseEntity(response);
      byte[] body = body(response);
      if (response.getCode() >= 300) {
        LOG.warn("Replica {} at {} refuses messages: HTTP status {}.", peer, url, response.getCode());
        throw new IOException("status " + response.getCode());
      }
      List<Message> batch = turnOver(mine);
      if (!batch.isEmpty()) {
        write(mine, mode.envelope(peer, batch));
      }
      Header answers = response.getFirstHeader(PeerExchange.ANSWERS);
      if (answers != null) {
        receiver.received(peer, PeerExchange.answers(answers.getValue()), null);
      }
      if (body.length > 0 && response.getCode() == 200) {
        Header type = response.getFirstHeader("Content-Type");
        String contentType = type == null ? null : type.getValue();
        receiver.received(peer, PeerEnvelopeReader.read(contentType, body, body.length).messages(), null);
      }
    }
  }

  private synchronized List<Message> turnOver(DefaultBHttpClientConnection mine) throws IOException {
    if (connection != mine) {
      throw new IOException("closed");
    }
    List<Message> batch = nextBatch();
    underWay = !batch.isEmpty();
    underWaySince = System.nanoTime();
    return batch;
  }

  private static byte[] body(ClassicHttpResponse response) throws IOException {
    if (response.getEntity() == null) {
      return new byte[0];
    }
    try (InputStream content = response.getEntity().getContent()) {
      return content.readAllBytes();
    }
  }
}
