package org.understudy.replication.runtime.socket;

import java.io.IOException;
import java.net.ConnectException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.util.List;
import javax.net.ssl.SSLException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.core.Message;
import org.understudy.replication.runtime.handshake.Disconnection;
import org.understudy.replication.runtime.handshake.RefusalLog;
import org.understudy.replication.runtime.handshake.RefusedPeerException;
import org.understudy.replication.runtime.peer.PeerReceiver;
import org.understudy.replication.runtime.peer.WaitingMessages;
import org.understudy.thread.DaemonThreads;
import org.understudy.thread.PersistentLoop;
import org.understudy.thread.Threads;

/** The link to one other replica: connects, reconnects when the connection breaks or falls silent, and sends. */
final class OutgoingLink {
  private static final Logger LOG = LoggerFactory.getLogger(OutgoingLink.class);
  private static final long LEAST_PAUSE_MS = 10;
  private static final long MAX_PAUSE_MS = 500;
  /** A connection that ends sooner counts as failed: the pause before the next attempt grows. */
  private static final long WORKED_NANOS = 1_000_000_000L;
  private static final int PINGS_IN_SUSPICION = 4;
  /** How often the link's thread receives while others do: bounds how late it learns of the end of the connection. */
  private static final long ATTENDED_NANOS = 50_000_000L;
  /** A heartbeat waits for at most one such frame, or for one larger update. */
  private static final long MAX_WAITING_FRAME_BYTES = 256 << 10;

  private final SocketSettings settings;
  private final Connection.Wire wire;
  private final ReplicaId peer;
  private final PeerReceiver receiver;
  private final long suspicionNanos;
  private final Frames frames;
  private final LinkAnswers answers;
  private final RefusalLog refusals = new RefusalLog();
  private final Thread thread;
  /** Why one of the two replicas refused the last attempt to connect; null if none did. */
  private volatile String refusal;

  /** Of the last connection; 0 before the first. */
  private volatile int version;

  /** Guarded by this. */
  private Connection connection;
  private final WaitingMessages waiting;
  private boolean dropping;
  private boolean closed;
  /** Whether threads that wait for answers receive on the connection. The link's thread then does so now and then. */
  private boolean attended;
  /** Whether one has asked for an answer since the link's thread last received. */
  private boolean askedLately;

  OutgoingLink(
      SocketSettings settings, Connection.Wire wire, Frames frames, ReplicaId peer, PeerReceiver receiver, LinkAnswers answers) {
    this.wire = wire;
    this.answers = answers;
    this.settings = settings;
    this.frames = frames;
    this.waiting = new WaitingMessages(settings.maxQueuedBytes());
    this.peer = peer;
    this.receiver = receiver;
    this.suspicionNanos = settings.suspicion().toNanos();
    this.thread =
        DaemonThreads.daemon("understudy-to-" + peer, new PersistentLoop("The link to replica " + peer, this::run));
  }

  void start() {
    thread.start();
  }

  /** Sends without blocking: what the kernel does not take, and what follows meanwhile, is left to the link's thread. */
  synchronized void send(List<Message> messages) {
    Connection current = connection;
    if (current == null || closed) {
      return;
    }
    try {
      if (current.backlogBytes() > 0 || !waiting.isEmpty() || !current.hasRoom() || exceeds(messages, current.roomBytes())) {
        leave(messages);
        sendWaiting(current);
        if (current.backlogBytes() > 0) {
          current.wakeUp();
        }
        return;
      }
      Frame frame = frames.of(messages);
      boolean asks = current.canAsk() && answers.isOfThisThread() && hasUpdate(messages);
      current.send(frame, asks);
      if (asks) {
        answers.expect(this);
        askedLately = true;
        if (!attended) {
          attended = true;
          current.wakeUp();
        }
      }
      if (current.backlogBytes() > 0) {
        current.wakeUp();
      }
    } catch (IOException e) {
      disconnect("broke: " + e.getMessage());
    } catch (RuntimeException | Error e) {
      // The peer may have half a frame.
      failed(current, e);
    }
  }

  /** Whether these are several messages of more bytes than that, between which others may overtake. */
  private static boolean exceeds(List<Message> messages, long bytes) {
    if (messages.size() == 1) {
      return false;
    }
    long sum = 0;
    for (int i = 0; i < messages.size(); i++) {
      sum += messages.get(i).encodedBytes();
    }
    return sum > bytes;
  }

  /** Not the fault of the caller, whose thread this is. */
  private void failed(Connection current, Throwable cause) {
    disconnectFrom(current, "failed");
    LOG.error("The connection to replica {} failed; this replica reconnects.", peer, cause);
  }

  private static boolean hasUpdate(List<Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      if (messages.get(i).updateIndex() > 0) {
        return true;
      }
    }
    return false;
  }

  // ---- the thread that waits for an answer

  synchronized boolean owesAnswer() {
    return connection != null && connection.owesAnswer();
  }

  /** Waits until something has arrived, at most this long, and passes it to the replica. */
  void receiveAnswer(long waitNanos) {
    Connection current;
    synchronized (this) {
      current = connection;
      if (current == null || !current.owesAnswer()) {
        return;
      }
    }
    try {
      current.awaitAnswer(waitNanos);
      byte[] answer;
      synchronized (this) {
        if (connection != current) {
          return;
        }
        answer = current.receive(System.nanoTime());
        sendWaiting(current);
      }
      deliver(answer);
    } catch (IOException e) {
      disconnectFrom(current, "broke: " + e.getMessage());
    } catch (ClosedSelectorException e) {
      LOG.debug("The connection to replica {} was closed while its answer was waited for.", peer);
    } catch (RuntimeException | Error e) {
      failed(current, e);
    }
  }

  synchronized void wakeAnswerWait() {
    if (connection != null) {
      connection.wakeAnswerWait();
    }
  }

  /** The thread that has asked waits no longer: the link's thread receives what comes. */
  synchronized void leaveAnswer() {
    if (connection != null && connection.owesAnswer()) {
      attended = false;
      askedLately = false;
      connection.wakeUp();
    }
  }

  private void deliver(byte[] answer) throws IOException {
    if (answer != null && answer.length > 0) {
      receiver.received(peer, receiver.format().readAll(answer, 0, answer.length), null);
    }
  }

  private void leave(List<Message> messages) {
    for (int i = 0; i < messages.size(); i++) {
      if (!waiting.add(messages.get(i)) && !dropping) {
        dropping = true;
        LOG.warn("Replica {} is too slow: {} bytes wait for it, further messages are dropped.", peer, waiting.bytes());
      }
    }
  }

  /** Queued messages are sealed frame by frame, so heartbeats can overtake updates until then. */
  private void sendWaiting(Connection current) throws IOException {
    while (current.backlogBytes() == 0 && !waiting.isEmpty()) {
      boolean room = current.hasRoom();
      if (!room && !waiting.hasUrgent()) {
        break;
      }
      long most = room ? Math.min(MAX_WAITING_FRAME_BYTES, current.roomBytes()) : 0;
      current.send(frames.of(waiting.nextBatch(most, Integer.MAX_VALUE)), false);
    }
    dropping &= !waiting.isEmpty();
  }

  /** Ends the thread without waiting for it, see {@link #awaitEnd}. */
  synchronized void close() {
    closed = true;
    disconnect("was closed");
    thread.interrupt();
  }

  void awaitEnd() {
    Threads.join(thread);
  }

  private synchronized void disconnect(String why) {
    Connection ended = connection;
    if (ended != null) {
      // First, because what follows may fail.
      connection = null;
      dropping = false;
      attended = false;
      askedLately = false;
      waiting.clear();
      try {
        ended.close();
        LOG.debug("The connection to replica {} {}.", peer, why);
      } catch (IOException e) {
        LOG.debug("The socket did not close cleanly.", e);
      }
    }
  }

  private void run() {
    long pause = LEAST_PAUSE_MS;
    while (!isClosed()) {
      try {
        Connection fresh = Connection.dial(settings, peer, wire);
        long begin = System.nanoTime();
        if (!connected(fresh)) {
          return;
        }
        work(fresh);
        if (System.nanoTime() - begin > WORKED_NANOS) {
          pause = LEAST_PAUSE_MS;
        }
      } catch (ConnectException e) {
        // No process listens there: it is gone, or not started yet.
        refusal = null;
        // Reported each time: a message that it sent before cancels an earlier report.
        receiver.suspected(peer);
      } catch (IOException e) {
        if (e instanceof RefusedPeerException || e instanceof SSLException && !Disconnection.isCauseOf(e)) {
          refused(e);
        } else if (!isClosed() && refusals.isDue("unreachable", System.nanoTime())) {
          LOG.info("Replica {} at {} cannot be reached: {} This replica retries.", peer, settings.addresses().get(peer),
              RefusalLog.printable(e.getMessage()));
        }
      } catch (RuntimeException e) {
        LOG.error("The connection to replica {} failed; this replica reconnects.", peer, e);
      }
      try {
        Thread.sleep(pause);
      } catch (InterruptedException e) {
        return;
      }
      pause = Math.min(2 * pause, MAX_PAUSE_MS);
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

  private void refused(IOException e) {
    refusal = RefusalLog.reason(peer, e);
    if (refusals.isDue(e.getMessage(), System.nanoTime())) {
      LOG.warn("Replica {} at {} is not connected: {}", peer, settings.addresses().get(peer), e.getMessage());
    }
  }

  private synchronized boolean isClosed() {
    return closed;
  }

  private synchronized boolean connected(Connection fresh) throws IOException {
    if (closed) {
      fresh.close();
      return false;
    }
    // The loop may have begun again after an error.
    disconnect("was replaced");
    connection = fresh;
    version = fresh.wireVersion();
    refusal = null;
    LOG.info("Connected to replica {} at {}.", peer, fresh.address());
    return true;
  }

  /** Writes the backlog and sends pings until the connection ends. */
  private void work(Connection current) {
    long interval = suspicionNanos / PINGS_IN_SUSPICION;
    long last = System.nanoTime();
    try {
      boolean write = false;
      boolean read = true;
      while (true) {
        current.select(read, write, read ? interval / 2 : Math.min(interval / 2, ATTENDED_NANOS));
        byte[] answer;
        synchronized (this) {
          if (connection != current) {
            return;
          }
          long now = System.nanoTime();
          answer = current.receive(now);
          if (answer != null) {
            // A thread may wait for this one, which it will not see.
            current.wakeAnswerWait();
          }
          current.flush(now);
          sendWaiting(current);
          if (now - last > suspicionNanos / 2) {
            current.restart(now);
          }
          last = now;
          current.pingAfter(interval, now);
          if (current.isSilent(suspicionNanos, now)) {
            LOG.info("The connection to replica {} has been silent for {} ms; this replica reconnects.", peer,
                suspicionNanos / 1_000_000);
            disconnect("was silent");
            return;
          }
          write = current.backlogBytes() > 0;
          attended &= askedLately;
          askedLately = false;
          read = !attended;
        }
        deliver(answer);
      }
    } catch (IOException e) {
      disconnectFrom(current, "broke: " + e.getMessage());
    } catch (CancelledKeyException | ClosedSelectorException e) {
      LOG.debug("The connection to replica {} was closed while it was waited for.", peer);
    } finally {
      // Also after an error: the next connection would replace it, and nothing would close it.
      disconnectFrom(current, "ended");
    }
  }

  private synchronized void disconnectFrom(Connection current, String why) {
    if (connection == current) {
      disconnect(why);
    }
  }
}
